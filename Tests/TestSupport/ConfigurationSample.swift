/// A small configuration with nothing wrong.
package enum ConfigurationSample {
    package static let yaml = """
        version: 1
        service: {listen: "127.0.0.1:8080"}
        kinds:
          driver: {serviceAccount: driver.json}
        callers:
          app: {firebase: {project: my-project}}
          backend: {apiKeys: {file: keys}}
        grants:
          own:
            callers: [app]
            kinds: [driver]
            ids: "{claims.vehicle_id}"
        """
}
