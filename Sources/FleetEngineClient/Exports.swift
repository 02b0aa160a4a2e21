// An engine takes a token provider and resource IDs: `import FleetEngineClient` alone must suffice.
@_exported public import TokenProvider
