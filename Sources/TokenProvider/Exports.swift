// A call takes a scope of IDs and returns a `Secret`: `import TokenProvider` alone must suffice.
@_exported public import FleetToken
