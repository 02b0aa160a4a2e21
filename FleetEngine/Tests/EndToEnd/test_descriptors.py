"""The emulator's .proto files against the descriptors in Google's libraries, field by field."""

import hashlib
import pathlib
import re
import subprocess

import pytest
from google.maps import fleetengine_delivery_v1, fleetengine_v1
from google.protobuf import descriptor_pb2

SOURCES = pathlib.Path(__file__).parents[1] / "Sources" / "FleetEngineEmulator"
PROTOS = SOURCES / "Protos"
FILES = sorted(str(path.relative_to(PROTOS)) for path in PROTOS.rglob("*.proto"))

# Deprecated, and left out of Google's library.
OURS_ALONE = {"maps.fleetengine.v1.UpdateVehicleLocationRequest"}


def flatten(package, messages, enums, prefix=""):
    """Every message as its fields, and every enum as its values, by full name."""
    for message in messages:
        name = f"{package}.{prefix}{message.name}"
        fields = set()
        for field in message.field:
            choice = message.oneof_decl[field.oneof_index].name if field.HasField("oneof_index") else None
            # Names that are words of Python have a line at the end there.
            plain = field.name.rstrip("_")
            fields.add((plain, field.number, field.type, field.label, field.type_name, choice))
        yield name, fields
        yield from flatten(package, message.nested_type, message.enum_type, f"{prefix}{message.name}.")
    for enum in enums:
        yield f"{package}.{prefix}{enum.name}", {(value.name, value.number) for value in enum.value}


@pytest.fixture(scope="module")
def ours(tmp_path_factory):
    target = tmp_path_factory.mktemp("protos") / "all.pb"
    subprocess.run(["protoc", f"-I{PROTOS}", f"--descriptor_set_out={target}", *FILES], check=True, timeout=60)
    files = descriptor_pb2.FileDescriptorSet.FromString(target.read_bytes()).file
    return dict(entry for file in files for entry in flatten(file.package, file.message_type, file.enum_type))


@pytest.fixture(scope="module")
def googles():
    descriptors = set()
    for module in (fleetengine_v1, fleetengine_delivery_v1):
        for value in vars(module).values():
            if hasattr(value, "pb"):
                descriptors.add(value.pb(value()).DESCRIPTOR.file)
    types = {}
    for file in descriptors:
        copy = descriptor_pb2.FileDescriptorProto()
        file.CopyToProto(copy)
        types |= dict(flatten(copy.package, copy.message_type, copy.enum_type))
    return types


def test_every_message_and_enum_is_googles(ours, googles):
    api = {name: fields for name, fields in ours.items() if name.startswith("maps.")}
    assert len(googles) > 80
    assert set(api) - OURS_ALONE == set(googles)
    for name, fields in googles.items():
        assert api[name] == fields, name


def test_basic_types_are_googles(ours):
    # Both are fields' types in Google's libraries.
    viewport = fleetengine_v1.ListVehiclesRequest.pb(fleetengine_v1.ListVehiclesRequest()).viewport.DESCRIPTOR
    latitude_and_longitude = viewport.fields_by_name["low"].message_type
    for file in (viewport.file, latitude_and_longitude.file):
        copy = descriptor_pb2.FileDescriptorProto()
        file.CopyToProto(copy)
        for name, fields in flatten(copy.package, copy.message_type, copy.enum_type):
            assert ours[name] == fields


def test_generated_swift_is_of_these_files():
    digest = hashlib.sha256(b"".join((PROTOS / file).read_bytes() for file in FILES)).hexdigest()
    generated = list((SOURCES / "Generated").glob("*.swift"))
    assert len(generated) == len(FILES)
    for file in generated:
        assert digest in file.read_text().partition("\n")[0], "run scripts/generate-protos.sh"


def test_every_method_of_googles_services_is_declared():
    text = "".join((PROTOS / file).read_text() for file in FILES)
    declared = set(re.findall(r"rpc (\w+)\(", text))
    clients = [
        fleetengine_v1.TripServiceClient, fleetengine_v1.VehicleServiceClient, fleetengine_delivery_v1.DeliveryServiceClient,
    ]
    methods = {
        "".join(word.title() for word in name.split("_"))
        for client in clients
        for name in vars(client)
        if re.match(r"(create|get|update|delete|list|search|report|batch)_", name) and "mtls" not in name
    }
    assert len(methods) >= 24
    assert methods <= declared
