package dev.keelson.authn.x509;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.authn.Authentication;
import dev.keelson.authn.Authentication.Authenticated;
import dev.keelson.authn.Authentication.NoOpinion;
import dev.keelson.authn.Authentication.Rejected;
import dev.keelson.authn.Credentials;
import dev.keelson.request.UserInfo;
import dev.keelson.testing.TestAuthority;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class X509AuthenticatorTest {

  private static final Instant NOW = TestAuthority.FROM.plus(Duration.ofHours(1));
  private static final TestAuthority ROOT = TestAuthority.root("root");
  private static final TestAuthority FOREIGN = TestAuthority.root("root");

  @Test
  void certificate_givesUserAndGroups() {
    X509Certificate leaf = ROOT.client("O=dev+OU=x,O=ops,CN=ann");

    UserInfo user = ((Authenticated) authenticate(leaf)).user();

    assertThat(user.name()).isEqualTo("ann");
    assertThat(user.groups()).containsExactly("dev", "ops");
    assertThat(user.extra().get("authentication.kubernetes.io/credential-id"))
        .singleElement()
        .asString()
        .matches("X509SHA256=[0-9a-f]{64}");
  }

  @Test
  void noCertificate_isLeftToOthers() {
    assertThat(authenticate()).isEqualTo(new NoOpinion());
  }

  @Test
  void subjectWithoutCommonName_isLeftToOthers() {
    assertThat(authenticate(ROOT.client("O=dev"))).isEqualTo(new NoOpinion());
  }

  @Test
  void lastCommonName_counts() {
    assertThat(name(authenticate(ROOT.client("CN=a,CN=b")))).isEqualTo("b");
  }

  @Test
  void kubernetesOwnAttribute_isTheUid() {
    String uid = "1.3.6.1.4.1.57683.2=4f2c";

    assertThat(((Authenticated) authenticate(ROOT.client("CN=ann," + uid))).user().uid())
        .isEqualTo("4f2c");
    assertThat(((Authenticated) authenticate(ROOT.client("CN=ann,UID=4f2c"))).user().uid())
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "'1.3.6.1.4.1.57683.2=a,1.3.6.1.4.1.57683.2=b', 'expected 1 UID, but found multiple: [a b]'",
    "'1.3.6.1.4.1.57683.2=', UID cannot be an empty string",
    "'1.3.6.1.4.1.57683.2=#0203010203', unable to parse UID into a string"
  })
  void uidThatIsNoSingleString_isRejected(String uid, String why) {
    assertThat(authenticate(ROOT.client("CN=ann," + uid)))
        .isInstanceOfSatisfying(
            Rejected.class, rejected -> assertThat(rejected.reason()).endsWith(why));
  }

  @Test
  void foreignCertificate_isRejected_evenWithTheSameName() {
    assertThat(authenticate(FOREIGN.client("CN=ann"))).isInstanceOf(Rejected.class);
  }

  @Test
  void expiredCertificate_isRejected() {
    X509Certificate leaf = ROOT.client("CN=ann");
    X509Authenticator late =
        new X509Authenticator(
            List.of(ROOT.certificate()), () -> TestAuthority.UNTIL.plusSeconds(1));

    assertThat(late.authenticate(credentials(leaf))).isInstanceOf(Rejected.class);
  }

  @Test
  void certificateOfTheFuture_isRejected() {
    X509Authenticator early =
        new X509Authenticator(
            List.of(ROOT.certificate()), () -> TestAuthority.FROM.minusSeconds(1));

    assertThat(early.authenticate(credentials(ROOT.client("CN=ann")))).isInstanceOf(Rejected.class);
  }

  @Test
  void rememberedCertificate_isRejected_onceItHasExpired() {
    X509Certificate leaf = ROOT.client("CN=ann");
    Instant[] time = {NOW};
    X509Authenticator authenticator =
        new X509Authenticator(List.of(ROOT.certificate()), () -> time[0]);

    Authentication before = authenticator.authenticate(credentials(leaf));
    time[0] = TestAuthority.UNTIL.plusSeconds(1);
    Authentication after = authenticator.authenticate(credentials(leaf));

    assertThat(before).isInstanceOf(Authenticated.class);
    assertThat(after).isInstanceOf(Rejected.class);
  }

  @Test
  void serverCertificate_isRejected() {
    Authentication outcome =
        authenticate(ROOT.leaf("CN=ann", List.of(KeyPurposeId.id_kp_serverAuth)));

    assertThat(outcome).isInstanceOf(Rejected.class);
    assertThat(((Rejected) outcome).reason()).contains("has no extended key usage clientAuth");
  }

  @Test
  void certificateForAnyUse_isAccepted() {
    assertThat(name(authenticate(ROOT.leaf("CN=a", List.of(KeyPurposeId.anyExtendedKeyUsage)))))
        .isEqualTo("a");
  }

  @Test
  void certificateThatNamesNoUse_isAccepted() {
    assertThat(name(authenticate(ROOT.leaf("CN=a", List.of())))).isEqualTo("a");
  }

  @Test
  void intermediate_isFollowed_inAnyOrder() {
    TestAuthority middle = ROOT.intermediate("middle");
    TestAuthority lower = middle.intermediate("lower");

    assertThat(
            name(authenticate(lower.client("CN=ann"), middle.certificate(), lower.certificate())))
        .isEqualTo("ann");
  }

  @Test
  void intermediateThatIsNotShown_isRejected() {
    assertThat(authenticate(ROOT.intermediate("middle").client("CN=ann")))
        .isInstanceOf(Rejected.class);
  }

  @Test
  void leafAsAuthority_isRejected() {
    TestAuthority false_ = ROOT.leafThatSigns("CN=mallory");

    assertThat(authenticate(false_.client("CN=ann"), false_.certificate()))
        .isInstanceOf(Rejected.class);
  }

  @Test
  void severalAuthorities_areAllAccepted() {
    TestAuthority other = TestAuthority.root("other");
    X509Authenticator authenticator =
        new X509Authenticator(List.of(ROOT.certificate(), other.certificate()), () -> NOW);

    assertThat(name(authenticator.authenticate(credentials(other.client("CN=b"))))).isEqualTo("b");
    assertThat(name(authenticator.authenticate(credentials(ROOT.client("CN=a"))))).isEqualTo("a");
  }

  private static Authentication authenticate(X509Certificate... chain) {
    return new X509Authenticator(List.of(ROOT.certificate()), () -> NOW)
        .authenticate(credentials(chain));
  }

  private static Credentials credentials(X509Certificate... chain) {
    return new Credentials(List.of(), List.of(chain));
  }

  private static String name(Authentication outcome) {
    return outcome instanceof Authenticated known ? known.user().name() : outcome.toString();
  }
}
