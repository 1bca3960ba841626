package dev.keelson.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.RawConnection;
import dev.keelson.testing.RestClient;
import dev.keelson.testing.TestAuthority;
import dev.keelson.testing.TestAuthority.Period;
import dev.keelson.testing.TestIdentity;
import dev.keelson.testing.WhoAmI;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Ways to be somebody else, or to keep the server from asking. */
@TestInstance(Lifecycle.PER_CLASS)
@Timeout(180)
class IdentityAttackIT {

  private static final String WHO = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
  private static final String REVIEW =
      "{\"apiVersion\":\"authentication.k8s.io/v1\",\"kind\":\"SelfSubjectReview\"}";
  private static final String ANN = "Authorization: Bearer of-ann";

  private final TestAuthority clients = TestAuthority.root("clients", Period.now());
  private final TestAuthority proxies = TestAuthority.root("proxies", Period.now());
  private final TestAuthority foreign = TestAuthority.root("clients", Period.now());
  private KeelsonProcess server;
  private WhoAmI nobody;

  @BeforeAll
  void start(@TempDir Path directory) throws IOException {
    Path tokens = Files.writeString(directory.resolve("tokens.csv"), "of-ann,ann,7,\"dev\"\n");
    Path clientFile = Files.writeString(directory.resolve("clients.pem"), clients.pem());
    Path proxyFile = Files.writeString(directory.resolve("proxies.pem"), proxies.pem());
    server =
        KeelsonProcess.start(
            directory.resolve("data"),
            List.of(
                "--authorization-mode=RBAC",
                "--token-auth-file=" + tokens,
                "--client-ca-file=" + clientFile,
                "--requestheader-client-ca-file=" + proxyFile,
                "--requestheader-allowed-names=front"));
    nobody = new WhoAmI(server.address(), server.kubeconfig().asNobody());
  }

  @AfterAll
  void stop() {
    server.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "X-Remote-User: root",
        "x-remote-user: root",
        "X-REMOTE-USER: root",
        "X_Remote_User: root",
        "X-Remote-User: root\r\nX-Remote-User: system:admin",
        " X-Remote-User: system:admin",
        "X-Remote-Group: system:masters",
        "X-Remote-Extra-Scopes: all",
        "X-Remote-Uid: 0"
      })
  void proxyHeaders_ofAnOrdinaryUser_meanNothing(String headers) {
    RawConnection.Response who = raw(server.kubeconfig().asNobody(), ANN + "\r\n" + headers);

    assertThat(who.status()).isEqualTo(201);
    assertThat(who.body())
        .contains("\"username\":\"ann\"", "\"groups\":[\"dev\",\"system:authenticated\"]")
        .doesNotContain("root", "system:admin", "system:masters", "scopes", "Scopes");
  }

  @ParameterizedTest
  @ValueSource(strings = {"X-Remote-User : root", "X-Remote\u0001-User: root"})
  void header_thatIsNone_isRefused(String header) {
    assertThat(raw(server.kubeconfig().asNobody(), ANN + "\r\n" + header).status()).isEqualTo(400);
  }

  @Test
  void proxyHeaders_countOnlyFromTheProxy() {
    assertThat(shows(proxies.identity("CN=front")).ask("X-Remote-User", "dora").user())
        .isEqualTo("dora");
    assertThat(shows(proxies.identity("CN=back")).ask("X-Remote-User", "dora").status())
        .isEqualTo(401);
    assertThat(shows(foreign.identity("CN=front")).ask("X-Remote-User", "dora").status())
        .isEqualTo(401);
    assertThat(shows(clients.identity("CN=front")).ask("X-Remote-User", "dora").user())
        .isEqualTo("front");
    assertThat(shows(proxies.identity("CN=front")).ask().status()).isEqualTo(401);
    assertThat(shows(proxies.identity("CN=front")).ask("X-Remote-User", "").status())
        .isEqualTo(401);
  }

  @ParameterizedTest
  @CsvSource({
    "Impersonate-User: root,403",
    "impersonate-user: root,403",
    "IMPERSONATE-USER: root,403",
    "Impersonate-User: ann; Impersonate-Group: system:masters,403",
    "Impersonate-User: ann; Impersonate-Uid: 0,403",
    "Impersonate-User: ann; Impersonate-Extra-Scopes: all,403",
    "Impersonate-Group: system:masters,400"
  })
  void impersonation_withoutPermission_isRefused(String headers, int status) {
    RawConnection.Response refused =
        raw(server.kubeconfig().asNobody(), ANN + "\r\n" + headers.replace("; ", "\r\n"));

    assertThat(refused.status()).isEqualTo(status);
    assertThat(refused.body()).doesNotContain("\"kind\":\"SelfSubjectReview\"");
  }

  @Test
  void impersonation_byAnotherSpelling_isNone() {
    RawConnection.Response who =
        raw(server.kubeconfig().asNobody(), ANN + "\r\nImpersonate_User: root");

    assertThat(who.body()).contains("\"username\":\"ann\"");
  }

  @Test
  void webSocket_carriesAToken_andNoOtherIdentity() {
    assertThat(upgrade("of-ann", "").status()).isNotIn(401, 500);
    assertThat(upgrade("of-nobody", "").status()).isEqualTo(401);
    assertThat(upgrade("of-ann", "Impersonate-User: root\r\n").status()).isEqualTo(403);
    assertThat(upgrade("of-ann", "X-Remote-User: root\r\n").status()).isNotIn(401, 101, 200);
    assertThat(
            raw(
                    server.kubeconfig().asNobody(),
                    "Sec-WebSocket-Protocol: " + protocol("of-ann") + ", v4.channel.k8s.io")
                .body())
        .doesNotContain("\"username\":\"ann\"");
  }

  /** A name, who is shown, and the user it is; none is 401. */
  static Stream<Arguments> identities() {
    return Stream.of(
        identity("right", it -> it.clients.identity("CN=ann,O=dev"), "ann"),
        identity("any use", it -> it.clients.identity("CN=ann", Period.now()), "ann"),
        identity("expired", it -> it.clients.identity("CN=ann", Period.over(), client()), ""),
        identity("to come", it -> it.clients.identity("CN=ann", Period.toCome(), client()), ""),
        identity(
            "for servers",
            it -> it.clients.identity("CN=ann", Period.now(), KeyPurposeId.id_kp_serverAuth),
            ""),
        identity("foreign, of the same name", it -> it.foreign.identity("CN=ann"), ""),
        identity("signs itself", it -> TestAuthority.root("ann", Period.now()).itself(), ""),
        identity("by an intermediate", IdentityAttackIT::byIntermediate, "ann"),
        identity("by an intermediate that is not sent", IdentityAttackIT::withoutIntermediate, ""),
        identity("by a leaf", IdentityAttackIT::byLeaf, ""),
        identity(
            "by an expired authority",
            it -> TestAuthority.root("old", Period.over()).identity("CN=ann"),
            ""),
        identity(
            "foreign, with ours sent along",
            it -> it.foreign.identity("CN=ann").with(it.clients.certificate()),
            ""));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("identities")
  void certificate_isItsUser_or401_andNeverABrokenConnection(
      String name, Function<IdentityAttackIT, TestIdentity> shown, String user) {
    WhoAmI client = shows(shown.apply(this));

    WhoAmI.Response who = client.ask();

    assertThat(who.status()).as(name).isEqualTo(user.isEmpty() ? 401 : 201);
    assertThat(who.user()).isEqualTo(user);
    // whoever also has a token is known by that
    assertThat(client.bearer("of-ann").user()).isEqualTo("ann");
  }

  @ParameterizedTest
  @CsvSource({
    "Bearer of-ann,ann",
    "bearer of-ann,ann",
    "BEARER of-ann,ann",
    "'  Bearer of-ann  ',ann",
    "Bearer of-ann and more,ann",
    "Bearer  of-ann,system:anonymous",
    "Bearer,system:anonymous",
    "'Bearer\tof-ann',system:anonymous",
    "Bearerof-ann,system:anonymous",
    "Token of-ann,system:anonymous",
    "Bearer of-ann\u00a0,''",
    "Bearer OF-ANN,''"
  })
  void spacesAroundTheToken_areReadAsInKubernetes(String value, String user) {
    RawConnection.Response who = raw(server.kubeconfig().asNobody(), "Authorization: " + value);

    if (user.isEmpty()) {
      assertThat(who.status()).isEqualTo(401);
    } else if (user.equals("system:anonymous")) {
      assertThat(who.status()).isEqualTo(403);
      assertThat(who.body()).contains("User \\\"system:anonymous\\\" cannot create");
    } else {
      assertThat(who.body()).contains("\"username\":\"" + user + "\"");
    }
  }

  @Test
  void severalAuthorizations_areRefused() {
    assertThat(raw(server.kubeconfig().asNobody(), ANN + "\r\nAuthorization: Bearer x").status())
        .isEqualTo(401);
  }

  @Test
  void hugeHeaders_endWithAnAnswer_andTheServerGoesOn() {
    assertThat(
            raw(server.kubeconfig().asNobody(), "Authorization: Bearer " + "x".repeat(200_000))
                .status())
        .isEqualTo(431);
    assertThat(
            raw(server.kubeconfig().asNobody(), "Authorization: Bearer " + "x".repeat(60_000))
                .status())
        .isEqualTo(401);
    StringBuilder many = new StringBuilder(ANN);
    for (int i = 0; i < 20_000; i++) {
      many.append("\r\nX-Remote-Extra-").append(i).append(": v");
    }
    assertThat(raw(server.kubeconfig().asNobody(), many.toString()).status()).isEqualTo(431);
    assertThat(nobody.bearer("of-ann").user()).isEqualTo("ann");
  }

  @Test
  void plainHttp_andOldTls_areNotSpoken() throws IOException {
    try (RawConnection plain = RawConnection.plain(server.address())) {
      plain
          .out()
          .write("GET /version HTTP/1.1\r\nHost: k\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      assertThat(new String(plain.in().readAllBytes(), StandardCharsets.ISO_8859_1))
          .doesNotContain("HTTP/1.1 200", "gitVersion");
    }
    // alert 70 is protocol_version, 40 is handshake_failure (RFC 8446, section 6)
    assertThat(alert(0x0301, 0xc013, 0x002f)).isEqualTo(70);
    assertThat(alert(0x0302, 0xc013, 0x002f)).isEqualTo(70);
    assertThat(alert(0x0303, 0x002f, 0x000a, 0x0005)).isEqualTo(40);
  }

  @Test
  void rapidResets_endTheConnection_andTheServerGoesOn() throws IOException {
    try (RawConnection connection =
        RawConnection.tls(server.address(), server.kubeconfig().asNobody(), "h2")) {
      DataOutputStream out = new DataOutputStream(connection.out());
      out.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      frame(out, 4, 0, 0, new byte[0]);
      // :method GET, :scheme https, :path /, :authority k
      byte[] request = {(byte) 0x82, (byte) 0x87, (byte) 0x84, 0x41, 0x01, 'k'};
      try {
        for (int stream = 1; stream < 20_000; stream += 2) {
          frame(out, 1, 0x5, stream, request);
          frame(out, 3, 0, stream, new byte[] {0, 0, 0, 8});
        }
        out.flush();
      } catch (IOException e) {
        // the server has hung up while we wrote: that is what it should do
        assertThat(e).isNotInstanceOf(SocketTimeoutException.class);
      }
      assertThat(endOf(connection.in())).isTrue();
    }
    assertThat(nobody.bearer("of-ann").user()).isEqualTo("ann");
    assertThat(RestClient.administrator(server).get("/readyz").statusCode()).isEqualTo(200);
  }

  /** Reads until the connection ends; false if it only falls silent. */
  private static boolean endOf(InputStream in) {
    try {
      while (in.read() >= 0) {
        // frames that were underway
      }
      return true;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  private static void frame(DataOutputStream out, int type, int flags, int stream, byte[] payload)
      throws IOException {
    out.write(payload.length >> 16);
    out.writeShort(payload.length);
    out.write(type);
    out.write(flags);
    out.writeInt(stream);
    out.write(payload);
  }

  /** The alert that answers a ClientHello of this version with these cipher suites. */
  private int alert(int version, int... suites) throws IOException {
    ByteArrayOutputStream hello = new ByteArrayOutputStream();
    DataOutputStream body = new DataOutputStream(hello);
    body.writeShort(version);
    body.write(new byte[32]);
    body.write(0);
    body.writeShort(suites.length * 2);
    for (int suite : suites) {
      body.writeShort(suite);
    }
    body.writeShort(0x0100);
    try (RawConnection plain = RawConnection.plain(server.address())) {
      DataOutputStream out = new DataOutputStream(plain.out());
      out.write(0x16);
      out.writeShort(0x0301);
      out.writeShort(hello.size() + 4);
      out.write(1);
      out.write(0);
      out.writeShort(hello.size());
      out.write(hello.toByteArray());
      out.flush();
      byte[] answer = plain.in().readNBytes(7);
      assertThat(answer).as("an alert").hasSize(7);
      assertThat(answer[0]).isEqualTo((byte) 0x15);
      return answer[6];
    }
  }

  private static Arguments identity(
      String name, Function<IdentityAttackIT, TestIdentity> shown, String user) {
    return Arguments.of(name, shown, user);
  }

  private static KeyPurposeId client() {
    return KeyPurposeId.id_kp_clientAuth;
  }

  private TestIdentity byIntermediate() {
    TestAuthority middle = clients.intermediate("middle");
    return middle.identity("CN=ann").with(middle.certificate());
  }

  private TestIdentity withoutIntermediate() {
    return clients.intermediate("middle").identity("CN=ann");
  }

  private TestIdentity byLeaf() {
    TestAuthority leaf = clients.leafThatSigns("CN=leaf");
    return leaf.identity("CN=ann").with(leaf.certificate());
  }

  private WhoAmI shows(TestIdentity identity) {
    X509Certificate authority = server.kubeconfig().authority();
    return new WhoAmI(server.address(), identity.trusting(authority));
  }

  private RawConnection.Response raw(javax.net.ssl.SSLContext tls, String headers) {
    List<String> head = new ArrayList<>();
    head.add("POST " + WHO + " HTTP/1.1");
    head.add("Host: k");
    head.add("Content-Type: application/json");
    head.add("Content-Length: " + REVIEW.length());
    head.add(headers);
    return RawConnection.ask(server.address(), tls, REVIEW, head.toArray(String[]::new));
  }

  private static String protocol(String token) {
    return "base64url.bearer.authorization.k8s.io."
        + Base64.getUrlEncoder()
            .withoutPadding()
            .encodeToString(token.getBytes(StandardCharsets.UTF_8));
  }

  private RawConnection.Response upgrade(String token, String more) {
    return RawConnection.ask(
        server.address(),
        server.kubeconfig().asNobody(),
        "",
        "GET /api/v1/namespaces?watch=true HTTP/1.1",
        "Host: k",
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        more + "Sec-WebSocket-Protocol: " + protocol(token) + ", v4.channel.k8s.io");
  }
}
