// A call takes a scope of IDs: `import TokenProvider` alone must suffice.
@_exported public import FleetToken
