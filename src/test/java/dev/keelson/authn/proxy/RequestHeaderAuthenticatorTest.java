package dev.keelson.authn.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.authn.Authentication;
import dev.keelson.authn.Authenticator;
import dev.keelson.authn.Credentials;
import dev.keelson.request.UserInfo;
import dev.keelson.testing.TestAuthority;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RequestHeaderAuthenticatorTest {

  private static final X509Certificate CERTIFICATE = TestAuthority.root("proxy-ca").client("CN=p");
  private static final Authenticator AS_PROXY =
      credentials -> new Authentication.Authenticated(user("proxy"));
  private static final Authenticator STRANGER =
      credentials -> new Authentication.Rejected("unknown authority");

  @Test
  void headers_ofTheProxy_areTheUser() {
    Authentication known =
        new RequestHeaderAuthenticator(options(List.of()), AS_PROXY)
            .authenticate(
                with(
                    Map.of(
                        "x-remote-user", List.of("ann"),
                        "x-remote-group", List.of("dev", "", "ops"),
                        "x-remote-extra-example.com%2fscope", List.of("a", "b"))));

    assertThat(known)
        .isEqualTo(
            new Authentication.Authenticated(
                new UserInfo(
                    "ann",
                    "",
                    List.of("dev", "ops"),
                    Map.of("example.com/scope", List.of("a", "b")))));
  }

  @Test
  void headers_withoutCertificate_meanNothing() {
    Credentials smuggled =
        new Credentials(List.of(), List.of(), Map.of("x-remote-user", List.of("root")), List.of());

    assertThat(new RequestHeaderAuthenticator(options(List.of()), AS_PROXY).authenticate(smuggled))
        .isEqualTo(new Authentication.NoOpinion());
  }

  @Test
  void headers_withAForeignCertificate_areRejected() {
    assertThat(
            new RequestHeaderAuthenticator(options(List.of()), STRANGER)
                .authenticate(with(Map.of("x-remote-user", List.of("root")))))
        .isInstanceOf(Authentication.Rejected.class);
  }

  @Test
  void headers_ofAProxyOfAnotherName_areRejected() {
    RequestHeaderAuthenticator proxy =
        new RequestHeaderAuthenticator(options(List.of("front")), AS_PROXY);

    assertThat(proxy.authenticate(with(Map.of("x-remote-user", List.of("root")))))
        .isInstanceOf(Authentication.Rejected.class);
  }

  @Test
  void proxyThatNamesNobody_isLeftToOthers() {
    RequestHeaderAuthenticator proxy = new RequestHeaderAuthenticator(options(List.of()), AS_PROXY);

    assertThat(proxy.authenticate(with(Map.of("x-remote-group", List.of("system:masters")))))
        .isEqualTo(new Authentication.NoOpinion());
  }

  private static Credentials with(Map<String, List<String>> headers) {
    return new Credentials(List.of(), List.of(CERTIFICATE), headers, List.of());
  }

  private static RequestHeaderOptions options(List<String> names) {
    return new RequestHeaderOptions(
        List.of("X-Remote-User"),
        List.of(),
        List.of("X-Remote-Group"),
        List.of("X-Remote-Extra-"),
        Path.of("ca.pem"),
        names);
  }

  private static UserInfo user(String name) {
    return new UserInfo(name, "", List.of(), Map.of());
  }
}
