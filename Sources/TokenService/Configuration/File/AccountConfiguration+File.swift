extension AccountConfiguration {
    /// Reads the keys of a section that say where an account's key is.
    init?(_ section: ConfigurationSection) {
        let source = section.oneOf(["serviceAccount", "pem"])
        let issuer = section["issuer"]?.text()
        let keyID = section["keyId"]?.text()
        guard let source, let file = source.value.text() else { return nil }
        guard source.name == "pem" else {
            if issuer != nil || keyID != nil {
                section.report("issuer and keyId go with pem; a service account's file has its own.")
            }
            self = .serviceAccount(file: file)
            return
        }
        guard let issuer, let keyID else {
            section.report("pem needs issuer, the service account's address, and keyId, its key's ID at Google.")
            return nil
        }
        self = .pem(file: file, issuer: issuer, keyID: keyID)
    }
}
