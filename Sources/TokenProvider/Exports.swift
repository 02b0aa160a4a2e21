// A call names a scope of IDs and gets a `Secret`: `import TokenProvider` alone has to serve.
@_exported public import FleetToken
