# SPDX-License-Identifier: Apache-2.0
"""Verifies configurations by the JSON Schema that the given program prints; exit 77 skips."""
import json
import subprocess
import sys

try:
    from jsonschema import Draft202012Validator
except ImportError:
    print("skipped: python3-jsonschema is not installed")
    sys.exit(77)

ACCEPTED = [
    {"topology": {"kind": "ring"}},
    {"topology": {"kind": "ring", "nodes": 99}, "name": 7, "seed": 3},
    {"topology": {"kind": "mesh", "sizes": [4, 4]}, "router": {"pipeline": {"route": 0}}},
    {"topology": {"kind": "torus", "sizes": 4}, "workload": {"pattern": "hot_spot", "hot_share": 1}},
    {"topology": {"kind": "ring"}, "workload": {"kind": "trace", "file": "a.csv"}},
    {"topology": {"kind": "ring"}, "workload": {"flows": [], "alone": False}},
    {"topology": {"kind": "ring"}, "workload": {"flows": [{"name": "a", "kind": "bursty", "burst": 2}]}},
    {"sweep": {"topology.kind": ["ring", "mesh"]}, "topology": {"sizes": [4]}},
]
REFUSED = [
    {},
    {"topology": {}},
    {"topology": {"kind": "rink"}},
    {"topology": {"kind": "ring", "sizes": [4]}},
    {"topology": {"kind": "mesh"}},
    {"topology": {"kind": "mesh", "sizes": ["4"]}},
    {"topology": {"kind": "clique", "nodes": 99}},
    {"topology": {"kind": "ring"}, "routr": {}},
    {"topology": {"kind": "ring"}, "router": {"pipeline": {"rout": 1}}},
    {"topology": {"kind": "ring"}, "router": {"bypass": "yes"}},
    {"topology": {"kind": "ring"}, "workload": {"hot_share": 0.5}},
    {"topology": {"kind": "ring"}, "workload": {"kind": "trace"}},
    {"topology": {"kind": "ring"}, "workload": {"kind": "trace", "file": "a", "pattern": "uniform"}},
    {"topology": {"kind": "ring"}, "workload": {"flows": {"name": "a"}}},
    {"topology": {"kind": "ring"}, "workload": {"flows": [{"name": "a", "burst": 2}]}},
    {"topology": {"kind": "ring"}, "workload": {"flows": [{"kind": "bursty"}]}},
    {"topology": {"kind": "ring"}, "workload": {"flows": [{"name": "a", "nmae": "b"}]}},
    {"topology": {"kind": "ring"}, "workload": {"flows": [{"name": "a"}], "alone": True}},
    {"sweep": {}, "topology": {"size": [4]}},
]

schema = json.loads(subprocess.run(sys.argv[1:], check=True, capture_output=True).stdout)
Draft202012Validator.check_schema(schema)
validator = Draft202012Validator(schema)
wrong = [("refused", c) for c in ACCEPTED if not validator.is_valid(c)]
wrong += [("accepted", c) for c in REFUSED if validator.is_valid(c)]
for verdict, configuration in wrong:
    print(verdict, "wrongly:", json.dumps(configuration))
sys.exit(1 if wrong else 0)
