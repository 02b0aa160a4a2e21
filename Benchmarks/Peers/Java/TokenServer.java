// Google's approach in Java: claims and signature as the local signer of java-fleetengine-auth makes them, behind the
// JDK's own HTTP server. The key is parsed once; each token has a Signature object of its own, as auth0's java-jwt has it.
// Work.java is what tokend does beside the token. Requests are answered on the selecting thread, which is fastest on one core.

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

public final class TokenServer {
    private static final String PREFIX = "/token/driver/";
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9._~-]{1,64}");
    private static final Base64.Encoder BASE64URL = Base64.getUrlEncoder().withoutPadding();

    private final String email;
    private final String header;
    private final PrivateKey key;
    private final byte[] apiKey;
    private final Work work;

    record Token(String text, long issued, long expires, long reuseEnds) {}

    private TokenServer(String account, String apiKey, Path audit) throws GeneralSecurityException, IOException {
        email = field(account, "client_email");
        header = base64("{\"alg\":\"RS256\",\"typ\":\"JWT\",\"kid\":\"" + field(account, "private_key_id") + "\"}");
        String pem = field(account, "private_key").replaceAll("-----[A-Z ]+-----|\\\\n|\\\\u000[aA]|\\s", "");
        key = KeyFactory.getInstance("RSA").generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(pem)));
        this.apiKey = HexFormat.of().parseHex(apiKey);
        work = new Work(audit, field(account, "private_key_id"));
    }

    public static void main(String[] arguments) throws Exception {
        String account = Files.readString(Path.of(System.getenv("ACCOUNT")));
        TokenServer service =
            new TokenServer(account, System.getenv("API_KEY_SHA256"), Path.of(System.getenv("AUDIT")));
        int port = Integer.parseInt(System.getenv("PORT"));
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        String store = System.getenv("TLS_STORE");
        HttpServer server = store == null ? HttpServer.create(address, 1024) : secure(address, store);
        server.createContext(PREFIX, service::handle);
        server.start();
    }

    private static HttpServer secure(InetSocketAddress address, String path) throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance(new File(path), "changeit".toCharArray());
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, "changeit".toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        HttpsServer server = HttpsServer.create(address, 1024);
        server.setHttpsConfigurator(new HttpsConfigurator(context));
        // A handshake on the selecting thread would wait for its client.
        server.setExecutor(Executors.newCachedThreadPool());
        return server;
    }

    private void handle(HttpExchange exchange) throws IOException {
        long start = System.nanoTime();
        String presented = exchange.getRequestHeaders().getFirst("X-API-Key");
        String id = exchange.getRequestURI().getPath().substring(PREFIX.length());
        int status = 200;
        byte[] body;
        try {
            MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
            byte[] digest = sha256.digest((presented == null ? "" : presented).getBytes(StandardCharsets.UTF_8));
            if (!MessageDigest.isEqual(digest, apiKey)) {
                status = 401;
            } else if (!ID.matcher(id).matches()) {
                status = 404;
            }
            if (status == 200 && !work.admits("backend", "driver")) {
                status = 403;
            }
            body = status == 200 ? answer(exchange, id) : error(status);
        } catch (GeneralSecurityException e) {
            status = 500;
            body = error(status);
        }
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.getResponseHeaders().set("Cache-Control", "no-store");
        exchange.getResponseHeaders().set("Pragma", "no-cache");
        exchange.getResponseHeaders().set("X-Content-Type-Options", "nosniff");
        exchange.sendResponseHeaders(status, body.length);
        try (var stream = exchange.getResponseBody()) {
            stream.write(body);
        }
        work.count(status, System.nanoTime() - start);
    }

    private byte[] answer(HttpExchange exchange, String id) throws GeneralSecurityException, IOException {
        long now = Instant.now().getEpochSecond();
        Token token = work.kept(id, now);
        if (token == null) {
            token = mint(id, now);
            work.keep(id, token);
        }
        String requestID = Long.toUnsignedString(ThreadLocalRandom.current().nextLong(), 36);
        work.record(token, requestID, "backend", exchange.getRemoteAddress().getAddress().getHostAddress(), id, now);
        exchange.getResponseHeaders().set("X-Request-Id", requestID);
        String json = "{\"token\":\"" + token.text + "\",\"jwt\":\"" + token.text + "\",\"expiresInSeconds\":"
            + (token.expires - now) + ",\"creationTimestamp\":" + token.issued + "000,\"expirationTimestamp\":"
            + token.expires + "000,\"creation_timestamp_ms\":" + token.issued + "000,\"expiration_timestamp_ms\":"
            + token.expires + "000}";
        return json.getBytes(StandardCharsets.US_ASCII);
    }

    private Token mint(String id, long now) throws GeneralSecurityException {
        long issued = now - 60;
        long expires = now + 3540;
        String claims = "{\"iss\":\"" + email + "\",\"sub\":\"" + email
            + "\",\"aud\":\"https://fleetengine.googleapis.com/\",\"iat\":" + issued + ",\"exp\":" + expires
            + ",\"authorization\":{\"vehicleid\":\"" + id + "\"}}";
        String input = header + "." + base64(claims);
        Signature signature = Signature.getInstance("SHA256withRSA");
        signature.initSign(key);
        signature.update(input.getBytes(StandardCharsets.US_ASCII));
        return new Token(input + "." + BASE64URL.encodeToString(signature.sign()), issued, expires, now + 240);
    }

    private static byte[] error(int status) {
        return ("{\"error\":{\"code\":" + status + "}}").getBytes(StandardCharsets.US_ASCII);
    }

    private static String base64(String text) {
        return BASE64URL.encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    /** A string of the key file, which has no escapes but line ends; the JDK brings no JSON parser. */
    private static String field(String json, String name) {
        var matcher = Pattern.compile("\"" + name + "\"\\s*:\\s*\"([^\"]*)\"").matcher(json);
        if (!matcher.find()) {
            throw new IllegalArgumentException("The account has no " + name + ".");
        }
        return matcher.group(1);
    }
}
