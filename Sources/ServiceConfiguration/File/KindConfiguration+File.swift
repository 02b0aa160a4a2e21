extension KindConfiguration {
    init?(_ value: ConfigurationValue) {
        let kind = value.section { section -> KindConfiguration? in
            let isPrivileged = section["privileged"]?.bool() ?? false
            let account = AccountConfiguration(section)
            let next = section["next"]?.section { section -> Next? in
                let from = section["from"]?.time()
                return AccountConfiguration(section).map { Next(account: $0, from: from) }
            }
            let previous = section["previous"]?.section { AccountConfiguration($0) }
            return account.map {
                KindConfiguration(account: $0, next: next, previous: previous, isPrivileged: isPrivileged)
            }
        }
        guard let kind else { return nil }
        self = kind
    }
}
