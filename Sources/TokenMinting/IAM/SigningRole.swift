import ServiceSupport

/// The role that lets `tokend` have a service account sign JWTs, and nothing else.
///
/// Google's predefined role for it, `roles/iam.serviceAccountTokenCreator`, also gives access tokens of the account.
package enum SigningRole {
    /// Returns the command that creates the role in a project.
    package static func creation(in project: String) -> String {
        "gcloud iam roles create tokendSigner --project=\(project) --permissions=iam.serviceAccounts.signJwt"
    }

    /// Returns the command that grants a member the role on an account.
    package static func binding(to member: String, on account: String) -> String {
        let project = ServiceAccountAddress.project(of: account) ?? "PROJECT"
        return
            "gcloud iam service-accounts add-iam-policy-binding \(account) --member=\(member) --role=projects/\(project)/roles/tokendSigner"
    }
}
