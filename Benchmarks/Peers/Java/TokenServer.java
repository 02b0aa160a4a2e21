// Google's approach in Java: claims and signature as the local signer of java-fleetengine-auth makes them, behind the
// JDK's own HTTP server. The key is parsed once; each token has a Signature object of its own, as auth0's java-jwt has it.
// It has no grants, audit trail, limits or metrics. Requests are answered on THREADS threads; 0 is the selecting thread.

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;

public final class TokenServer {
    private static final String PREFIX = "/token/driver/";
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9._~-]{1,64}");
    private static final Base64.Encoder BASE64URL = Base64.getUrlEncoder().withoutPadding();

    private final String email;
    private final String header;
    private final PrivateKey key;
    private final byte[] apiKey;

    private TokenServer(String account, String apiKey) throws GeneralSecurityException {
        email = field(account, "client_email");
        header = base64("{\"alg\":\"RS256\",\"typ\":\"JWT\",\"kid\":\"" + field(account, "private_key_id") + "\"}");
        String pem = field(account, "private_key").replaceAll("-----[A-Z ]+-----|\\\\n|\\\\u000[aA]|\\s", "");
        key = KeyFactory.getInstance("RSA").generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(pem)));
        this.apiKey = HexFormat.of().parseHex(apiKey);
    }

    public static void main(String[] arguments) throws Exception {
        String account = Files.readString(Path.of(System.getenv("ACCOUNT")));
        TokenServer service = new TokenServer(account, System.getenv("API_KEY_SHA256"));
        int port = Integer.parseInt(System.getenv("PORT"));
        int threads = Integer.parseInt(System.getenv("THREADS"));
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1024);
        server.createContext(PREFIX, service::handle);
        if (threads > 0) {
            server.setExecutor(Executors.newFixedThreadPool(threads));
        }
        server.start();
    }

    private void handle(HttpExchange exchange) throws IOException {
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
            body = status == 200 ? answer(id) : error(status);
        } catch (GeneralSecurityException e) {
            status = 500;
            body = error(status);
        }
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.getResponseHeaders().set("Cache-Control", "no-store");
        exchange.sendResponseHeaders(status, body.length);
        try (var stream = exchange.getResponseBody()) {
            stream.write(body);
        }
    }

    private byte[] answer(String id) throws GeneralSecurityException {
        long now = Instant.now().getEpochSecond();
        long issued = now - 60;
        long expires = now + 3540;
        String claims = "{\"iss\":\"" + email + "\",\"sub\":\"" + email
            + "\",\"aud\":\"https://fleetengine.googleapis.com/\",\"iat\":" + issued + ",\"exp\":" + expires
            + ",\"authorization\":{\"vehicleid\":\"" + id + "\"}}";
        String input = header + "." + base64(claims);
        Signature signature = Signature.getInstance("SHA256withRSA");
        signature.initSign(key);
        signature.update(input.getBytes(StandardCharsets.US_ASCII));
        String token = input + "." + BASE64URL.encodeToString(signature.sign());
        String json = "{\"token\":\"" + token + "\",\"jwt\":\"" + token + "\",\"expiresInSeconds\":" + (expires - now)
            + ",\"creationTimestamp\":" + issued + "000,\"expirationTimestamp\":" + expires
            + "000,\"creation_timestamp_ms\":" + issued + "000,\"expiration_timestamp_ms\":" + expires + "000}";
        return json.getBytes(StandardCharsets.US_ASCII);
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
