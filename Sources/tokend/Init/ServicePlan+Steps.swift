import FleetToken
import SystemPackage
import TokenMinting
import TokenService

extension ServicePlan {
    /// Returns what is left to do, as text with the commands.
    func steps(path: String, hasFile: (String) -> Bool) -> String {
        let missing = kinds.filter { signing == .google || !hasFile(keyFile(of: $0)) }
        let first =
            missing.isEmpty
            ? []
            : [accountTitle + "\n" + signerCommands + missing.map(accountCommands).joined() + handOver(missing, path)]
        let steps = first + claimsStep + installation(path: path)
        return steps.enumerated().map { "\($0 + 1). \($1)" }.joined()
    }

    /// The identity provider has no claims with IDs by itself.
    private var claimsStep: [String] {
        guard ids == .claim else { return [] }
        let names = kinds.filter { !$0.isPrivileged }.map(claim)
        return [
            "Let your backend set these claims of each user: \(names.joined(separator: ", ")) (docs/configuration.md#grants)\n"
        ]
    }

    private func installation(path: String) -> [String] {
        let file = path == ConfigurationOptions.defaultPath ? "" : " \(path)"
        return switch target {
        case .machine:
            [
                "Check it: tokend check \(path)\n", "Start it: tokend serve --config \(path)\n",
                "See whether Google accepts its tokens: tokend check \(path) --live\n",
            ]
        case .package:
            [
                "Check it: sudo -u tokend tokend check\(file)\n", "Start it: sudo systemctl enable --now tokend\n",
                "See whether Google accepts its tokens: sudo -u tokend tokend check\(file) --live\n",
            ]
        case .helm:
            [
                "Create the namespace and the Secrets:\n   kubectl create namespace tokend\n"
                    + secretFiles.map { folder, files in
                        "   kubectl -n tokend create secret generic tokend-\(folder)\(files.map { " --from-file=\($0)" }.joined())\n"
                    }.joined(),
                "Install the chart with these values: docs/guides/kubernetes.md\n",
            ]
        case .cloudRun:
            [
                "Create the secrets:\n" + secretCommands("tokend-config", path)
                    + (method == .apiKey ? secretCommands("tokend-callers", "api-keys") : ""),
                "Push an image and replace the service: docs/guides/cloud-run.md\n"
                    + (method == .apiKey ? "" : withoutAPIKeys),
            ]
        }
    }

    private var withoutAPIKeys: String {
        "   There are no API keys: first remove the volume callers and its mount from service.yaml.\n"
    }

    private func secretCommands(_ secret: String, _ file: String) -> String {
        """
           gcloud secrets create \(secret) --project=\(project) --data-file=\(file)
           gcloud secrets add-iam-policy-binding \(secret) --project=\(project) --member=\(member) --role=roles/secretmanager.secretAccessor

        """
    }

    private var accountTitle: String {
        switch (signing, target) {
        case (.google, _): "Create the service accounts, and let tokend sign with them:"
        case (.keys, .package): "Create the service accounts and their keys, and let the service's user read these:"
        case (.keys, _): "Create the service accounts, and their keys in the configuration's folder:"
        }
    }

    /// How IAM names the service, which signs with the accounts.
    private var member: String {
        target == .helm
            ? "principal://iam.googleapis.com/projects/$NUMBER/locations/global/workloadIdentityPools/\(project).svc.id.goog/subject/ns/tokend/sa/tokend"
            : "serviceAccount:tokend@\(project).iam.gserviceaccount.com"
    }

    /// The commands for the service's own account, with which this machine or the service on Cloud Run must run.
    private var signerCommands: String {
        guard signing == .google else { return "" }
        let identity =
            target == .helm
            ? "NUMBER=$(gcloud projects describe \(project) --format='value(projectNumber)')"
            : "gcloud iam service-accounts create tokend --project=\(project)"
        return "   \(SigningRole.creation(in: project))\n   \(identity)\n\n"
    }

    private func accountCommands(of kind: TokenKind) -> String {
        let address = account(of: kind)
        let name = address.prefix { $0 != "@" }
        let last =
            switch (signing, target) {
            case (.google, _): SigningRole.binding(to: member, on: address)
            case (.keys, .package):
                "(umask 077; gcloud iam service-accounts keys create \(kind.rawValue).json --iam-account=\(address))"
            case (.keys, _):
                "(umask 077; mkdir -p keys; gcloud iam service-accounts keys create \(keyFile(of: kind)) --iam-account=\(address))"
            }
        return """
               gcloud iam service-accounts create \(name) --project=\(project)
               gcloud projects add-iam-policy-binding \(project) --condition=None --member=serviceAccount:\(address) --role=\(kind.role)
               \(last)

            """
    }

    /// The commands that move keys to where the service's user can read them.
    private func handOver(_ kinds: [TokenKind], _ path: String) -> String {
        guard signing == .keys, target == .package else { return "" }
        let files = kinds.map { "\($0.rawValue).json" }.joined(separator: " ")
        let folder = FilePath(path).removingLastComponent().appending("keys")
        return """
               sudo install -m 0640 -g tokend -t \(folder) \(files)
               shred -u \(files)

            """
    }
}
