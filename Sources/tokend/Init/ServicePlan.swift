import FleetToken
import ServiceSupport
import TokenMinting
import TokenService

/// What an operator decides before the first start, from which a configuration is written.
struct ServicePlan: Sendable {
    /// Who signs the tokens.
    enum Signing: String, CaseIterable, Sendable {
        /// The service, with the keys of service accounts.
        case keys
        /// Google, by the IAM Credentials API.
        case google
    }

    /// How callers are authenticated.
    enum CallerMethod: String, CaseIterable, Sendable {
        case firebase, auth0, oidc
        case apiKey = "api-key"

        /// Whether callers are users of an app, whose tokens have claims, and not backends.
        var isApp: Bool { issuerIsRequired || self == .firebase }

        /// Whether an issuer's URL is required.
        var issuerIsRequired: Bool { self == .auth0 || self == .oidc }
    }

    /// Where the service is to run.
    enum Target: Sendable {
        /// A machine of one's own, with files beside the configuration.
        case machine
        /// The service that the Debian package installed on this machine, which runs as a user of its own.
        case package
        /// Kubernetes, with the values of the chart.
        case helm
        case cloudRun
    }

    /// How a caller is granted an ID.
    enum IDs: String, CaseIterable, Sendable {
        case claim, webhook, any
    }

    var project: String
    var target = Target.machine
    var kinds: [TokenKind] = [.consumer, .driver]
    var signing = Signing.keys
    var method = CallerMethod.firebase
    /// The URL of the issuer of callers' tokens.
    var issuer: String?
    /// What callers' tokens must name as their audience.
    var audience: String?
    /// The file with the certificate authorities of the issuer's server; nil for the system's.
    var authorities: String?
    var ids = IDs.any
    /// The claims with the IDs, where they are not the usual ones.
    var claims: [TokenKind: String] = [:]
    var webhook: String?
    /// Creates a plan for a Google Cloud project.
    init(project: String) {
        self.project = project
    }

    /// The name of the callers in the configuration.
    var caller: String { method.isApp ? "app" : "backend" }

    /// Whether a webhook decides on any of the kinds; those without an ID do not need it.
    var usesWebhook: Bool { ids == .webhook && !kinds.allSatisfy(\.isPrivileged) }

    /// The claim that has the IDs of a kind.
    func claim(of kind: TokenKind) -> String {
        if let claim = claims[kind] { return claim }
        return switch kind.idClaim {
        case .trip: "trip_ids"
        case .vehicle: "vehicle_id"
        case .deliveryVehicle: "delivery_vehicle_id"
        case .tracking: "tracking_ids"
        case .task, .tasks: "task_ids"
        case nil: ""
        }
    }

    /// The address of a kind's service account.
    func account(of kind: TokenKind) -> String {
        "\(kind.rawValue.replacing("_", with: "-"))@\(project).iam.gserviceaccount.com"
    }

    /// The first thing that is wrong or missing, and what to write; nil if the plan is complete.
    var problem: String? {
        guard GoogleProject.isID(project) else {
            return "The project must be the ID of a Google Cloud project, such as my-project."
        }
        guard !kinds.isEmpty else { return "At least one kind of token is required." }
        if method.isApp, let kind = kinds.first(where: \.isPrivileged) {
            return
                "An app must not get \(kind.rawValue) tokens, which grant access to a whole fleet. Use api-key for a backend."
        }
        if method.issuerIsRequired {
            guard let issuer, let url = try? EndpointURL(issuer), url.scheme == "https" else {
                return "The issuer must be an https URL, such as https://id.example.com."
            }
            guard audience?.isEmpty == false else { return "The audience of the callers' tokens is required." }
        }
        if authorities != nil, target == .helm || target == .cloudRun {
            return "--ca-file names a file of this machine. Mount it, and set callers.app.jwt.caFile to its path there."
        }
        if target == .cloudRun, signing == .keys {
            return "On Cloud Run, Google signs, and no key file is needed. Use --signing google."
        }
        if target == .cloudRun, usesWebhook {
            return
                "On Cloud Run, a webhook's secret needs a volume that docs/guides/cloud-run.md describes. Grant IDs by claim, or any."
        }
        if ids == .claim, !method.isApp {
            return "A backend's credentials have no claims. Grant IDs by a webhook, or any."
        }
        if ids == .webhook {
            guard let webhook, let url = try? EndpointURL(webhook), url.isProtected else {
                return "The webhook must be an https URL, such as https://trips.example.com/authorize."
            }
        }
        return nil
    }
}
