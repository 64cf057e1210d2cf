# SPDX-License-Identifier: Apache-2.0
"""Validates experiment files by the schema of flitcast: PROGRAM FILE...; exit 77 skips."""
import json
import subprocess
import sys

try:
    import yaml
    from jsonschema import Draft202012Validator
except ImportError:
    print("skipped: python3-jsonschema or python3-yaml is not installed")
    sys.exit(77)

program, *files = sys.argv[1:]
schema = json.loads(subprocess.run([program, "schema"], check=True, capture_output=True).stdout)
Draft202012Validator.check_schema(schema)
validator = Draft202012Validator(schema)
wrong = 0
for file in files:
    with open(file, encoding="utf-8") as text:
        experiment = yaml.safe_load(text)
    for error in validator.iter_errors(experiment):
        print(f"{file}: {error.json_path}: {error.message}")
        wrong += 1
    experiment["routing"]["kidn"] = experiment["routing"].pop("kind")
    if validator.is_valid(experiment):
        print(f"{file}: a misspelt key is accepted")
        wrong += 1
sys.exit(1 if wrong or not files else 0)
