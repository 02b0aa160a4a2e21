extension SigningConfiguration {
    init(_ value: ConfigurationValue) {
        self.init()
        var signing = self
        _ = value.section { section in
            signing.batch = section["batch"]?.batch() ?? signing.batch
            signing.library = section["library"]?.file()
        }
        self = signing
    }
}

extension ConfigurationValue {
    /// One of the names; YAML 1.1 reads `off` without quotes as a Boolean.
    fileprivate func batch() -> SigningConfiguration.Batch? {
        node.text == "off" ? .off : choice(SigningConfiguration.Batch.self)
    }
}
