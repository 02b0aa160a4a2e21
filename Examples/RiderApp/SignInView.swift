import SwiftUI

/// Asks the user to sign in.
struct SignInView: View {
    @ObservedObject var session: Session
    @State private var email = ""
    @State private var password = ""

    var body: some View {
        VStack {
            TextField("Email", text: $email)
            SecureField("Password", text: $password)
            Button("Sign in") { Task { await session.signIn(email: email, password: password) } }
            Text(session.problem ?? "")
        }
    }
}
