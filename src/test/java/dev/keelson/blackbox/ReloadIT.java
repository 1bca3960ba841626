package dev.keelson.blackbox;

import static dev.keelson.testing.Eventually.assertEventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.testing.IdentityProvider;
import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.ServedCertificate;
import dev.keelson.testing.TestAuthority;
import dev.keelson.testing.TestAuthority.Period;
import dev.keelson.testing.TestCertificates;
import dev.keelson.testing.TestCertificates.KeyForm;
import dev.keelson.testing.TestIdentity;
import dev.keelson.testing.WhoAmI;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Files that change below a running server: a good one counts from then on, a bad one leaves what
 * was there and is told in the log and counted.
 */
@TestInstance(Lifecycle.PER_CLASS)
@Timeout(180)
class ReloadIT {

  private final TestAuthority clients = TestAuthority.root("clients", Period.now());
  private Path tokens;
  private Path passwords;
  private Path clientFile;
  private Path configuration;
  private TestCertificates certificates;
  private TestCertificates.Pair served;
  private TestCertificates.Pair named;
  private X509Certificate authority;
  private static final String ANONYMOUS =
      "anonymous: {enabled: true, conditions: [{path: /version}]}\n";

  private IdentityProvider one;
  private IdentityProvider two;
  private KeelsonProcess server;
  private WhoAmI nobody;
  private WhoAmI administrator;

  @BeforeAll
  void start(@TempDir Path directory) throws IOException, GeneralSecurityException {
    certificates = TestCertificates.in(Files.createDirectory(directory.resolve("pki")));
    served = certificates.issue("served", KeyForm.PKCS8_EC);
    named = certificates.issue("named", KeyForm.PKCS8_EC);
    try (InputStream in = Files.newInputStream(certificates.authority())) {
      authority = (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
    }
    tokens = Files.writeString(directory.resolve("tokens.csv"), "t1,ann,1\n");
    passwords = Files.writeString(directory.resolve("basic.csv"), "p1,bob,2\n");
    clientFile = Files.writeString(directory.resolve("clients.pem"), clients.pem());
    one = new IdentityProvider();
    one.key("k", "EC");
    two = new IdentityProvider();
    two.key("k", "EC");
    configuration = directory.resolve("authentication.yaml");
    Files.writeString(configuration, configuration(one, "one:", true) + ANONYMOUS);
    server =
        KeelsonProcess.start(
            directory.resolve("data"),
            List.of(
                "--tls-cert-file=" + served.certificate(),
                "--tls-private-key-file=" + served.key(),
                "--tls-sni-cert-key=" + named.certificate() + "," + named.key() + ":named.example",
                "--token-auth-file=" + tokens,
                "--basic-auth-file=" + passwords,
                "--client-ca-file=" + clientFile,
                "--authentication-config=" + configuration));
    nobody = new WhoAmI(server.address(), TestIdentity.nobody(authority));
    administrator =
        shows(
            new TestIdentity(
                server.kubeconfig().key(), List.of(server.kubeconfig().certificate())));
  }

  @AfterAll
  void stop() {
    server.close();
    one.close();
    two.close();
  }

  @Test
  void tokens_areReplaced_asAWhole() throws IOException {
    assertThat(nobody.bearer("t1").user()).isEqualTo("ann");

    Files.writeString(tokens, "t2,ann,1\n");
    assertEventually(() -> assertThat(nobody.bearer("t2").user()).isEqualTo("ann"));
    assertThat(nobody.bearer("t1").status()).isEqualTo(401);

    Files.writeString(tokens, "t3,cid,3\nbroken\n");
    assertKeptOut("--token-auth-file");
    assertThat(nobody.bearer("t3").status()).isEqualTo(401);
    assertThat(nobody.bearer("t2").user()).isEqualTo("ann");
  }

  @Test
  void requests_inTheMidstOfReloads_areAnsweredAsEver() throws Exception {
    Files.writeString(tokens, "steady,sue,9\nm0,ann,1\n");
    assertEventually(() -> assertThat(nobody.bearer("m0").user()).isEqualTo("ann"));
    AtomicBoolean done = new AtomicBoolean();
    try (ExecutorService threads = Executors.newFixedThreadPool(3)) {
      List<Future<Integer>> loops = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        loops.add(
            threads.submit(
                () -> {
                  int answers = 0;
                  while (!done.get()) {
                    assertThat(nobody.bearer("steady").user()).isEqualTo("sue");
                    answers++;
                  }
                  return answers;
                }));
      }
      try {
        for (int i = 1; i < 4; i++) {
          String fresh = "m" + i;
          Files.writeString(tokens, "steady,sue,9\n" + fresh + ",ann,1\n");
          assertEventually(() -> assertThat(nobody.bearer(fresh).user()).isEqualTo("ann"));
          Files.writeString(tokens, "steady,sue,9\nbroken\n");
          assertKeptOut("--token-auth-file");
        }
      } finally {
        done.set(true);
      }
      for (Future<Integer> loop : loops) {
        assertThat(loop.get()).isPositive();
      }
    }
  }

  @Test
  void passwords_areReplaced() throws IOException {
    assertThat(basic("bob", "p1").user()).isEqualTo("bob");

    Files.writeString(passwords, "p2,bob,2\n");
    assertEventually(() -> assertThat(basic("bob", "p2").user()).isEqualTo("bob"));
    assertThat(basic("bob", "p1").status()).isEqualTo(401);

    Files.delete(passwords);
    assertKeptOut("--basic-auth-file");
    assertThat(basic("bob", "p2").user()).isEqualTo("bob");
  }

  @Test
  void clientAuthorities_areReplaced_alsoForConnectionsThatAreOpen() throws IOException {
    TestAuthority next = TestAuthority.root("next", Period.now());
    WhoAmI old = shows(clients.identity("CN=old"));
    WhoAmI young = shows(next.identity("CN=young"));
    assertThat(old.ask().user()).isEqualTo("old");
    assertThat(young.ask().status()).isEqualTo(401);

    Files.writeString(clientFile, next.pem());
    assertEventually(() -> assertThat(young.ask().user()).isEqualTo("young"));
    assertThat(old.ask().status()).isEqualTo(401);
    assertThat(administrator.ask().groups()).contains("system:masters");

    Files.writeString(clientFile, "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----");
    assertKeptOut("--client-ca-file");
    assertThat(young.ask().user()).isEqualTo("young");
  }

  @Test
  void servingCertificates_areReplaced() throws IOException {
    assertThat(ServedCertificate.subject(server.address(), "")).isEqualTo("CN=served");
    assertThat(ServedCertificate.subject(server.address(), "named.example")).isEqualTo("CN=named");

    replace(served, certificates.issue("served-next", KeyForm.PKCS8_EC));
    replace(named, certificates.issue("named-next", KeyForm.PKCS8_RSA));
    assertEventually(
        () ->
            assertThat(ServedCertificate.subject(server.address(), ""))
                .isEqualTo("CN=served-next"));
    assertEventually(
        () ->
            assertThat(ServedCertificate.subject(server.address(), "named.example"))
                .isEqualTo("CN=named-next"));

    TestCertificates.Pair other = certificates.issue("other", KeyForm.PKCS8_EC);
    Files.copy(other.certificate(), served.certificate(), StandardCopyOption.REPLACE_EXISTING);
    assertKeptOut("--tls-cert-file");
    assertThat(ServedCertificate.subject(server.address(), "")).isEqualTo("CN=served-next");
    assertThat(shows(clients.identity("CN=x")).get("/version").status()).isIn(200, 401);
  }

  @Test
  void providers_areReplaced_andSeveralCountAtOnce() throws IOException {
    String ofOne = one.token("k", "ES256", one.claims(Instant.now(), Map.of()));
    String ofTwo = two.token("k", "ES256", two.claims(Instant.now(), Map.of()));
    assertThat(nobody.bearer(ofOne).user()).isEqualTo("one:ann");
    assertThat(nobody.bearer(ofTwo).status()).isEqualTo(401);

    Files.writeString(
        configuration, configuration(one, "uno:", true) + provider(two, "two:") + ANONYMOUS);
    assertEventually(() -> assertThat(nobody.bearer(ofTwo).user()).isEqualTo("two:ann"));
    assertThat(nobody.bearer(ofOne).user()).isEqualTo("uno:ann");
    assertThat(nobody.get("/version").status()).isEqualTo(200);
    assertThat(nobody.get("/api").status()).isEqualTo(401);
    assertThat(nobody.get("/version/").status()).isEqualTo(401);

    Files.writeString(configuration, configuration(one, "eins:", false) + ANONYMOUS);
    assertKeptOut("--authentication-config");
    assertThat(nobody.bearer(ofOne).user()).isEqualTo("uno:ann");
    assertThat(nobody.bearer(ofTwo).user()).isEqualTo("two:ann");

    Files.writeString(configuration, configuration(one, "jeden:", true));
    assertEventually(
        () ->
            assertThat(server.log())
                .contains("anonymous: Forbidden: changed from initial configuration file"));
    assertThat(nobody.bearer(ofOne).user()).isEqualTo("uno:ann");
    assertThat(nobody.get("/api").status()).isEqualTo(401);

    two.announce("issuer", "https://other.test");
    Files.writeString(
        configuration, configuration(one, "eden:", true) + provider(two, "dva:") + ANONYMOUS);
    assertEventually(
        () ->
            assertThat(server.log())
                .contains("authenticator for issuer \"" + two.url() + "\" is not initialized"));
    assertThat(nobody.bearer(ofOne).user()).isEqualTo("uno:ann");
    assertThat(nobody.bearer(ofTwo).user()).isEqualTo("two:ann");

    two.announce("issuer", two.url());
    assertEventually(() -> assertThat(nobody.bearer(ofTwo).user()).isEqualTo("dva:ann"));
    assertThat(nobody.bearer(ofOne).user()).isEqualTo("eden:ann");
  }

  private void assertKeptOut(String flag) {
    assertEventually(
        () ->
            assertThat(administrator.get("/metrics").body())
                .containsPattern(
                    "keelson_file_reloads_total\\{flag=\""
                        + flag
                        + "\",status=\"failure\"} [1-9]"));
    assertThat(server.log()).contains("event=file-reload-failed flag=" + flag);
  }

  private static String configuration(IdentityProvider provider, String prefix, boolean right) {
    return "apiVersion: apiserver.config.k8s.io/v1beta1\n"
        + "kind: AuthenticationConfiguration\n"
        + "jwt:\n"
        + (right
            ? provider(provider, prefix)
            : provider(provider, prefix).replace("https", "http"));
  }

  private static String provider(IdentityProvider provider, String prefix) {
    return """
    - issuer:
        url: %s
        audiences: [kubernetes]
        certificateAuthority: |
    %s
      claimMappings:
        username: {claim: sub, prefix: "%s"}
    """
        .formatted(
            provider.url(), provider.certificatePem().strip().indent(6).stripTrailing(), prefix);
  }

  private static void replace(TestCertificates.Pair old, TestCertificates.Pair next)
      throws IOException {
    Files.copy(next.certificate(), old.certificate(), StandardCopyOption.REPLACE_EXISTING);
    Files.copy(next.key(), old.key(), StandardCopyOption.REPLACE_EXISTING);
  }

  private WhoAmI shows(TestIdentity identity) {
    return new WhoAmI(server.address(), identity.trusting(authority));
  }

  private WhoAmI.Response basic(String name, String password) {
    return nobody.ask(
        "Authorization",
        "Basic "
            + Base64.getEncoder()
                .encodeToString((name + ":" + password).getBytes(StandardCharsets.UTF_8)));
  }
}
