package dev.keelson.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.testing.Browser;
import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.LoginProvider;
import dev.keelson.testing.RestClient;
import io.restassured.http.Cookies;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Logins at one of several issuers that have the console's client ID among their audiences. */
@TestInstance(Lifecycle.PER_CLASS)
@Timeout(180)
class ConsoleIssuersIT {

  private static final String WHO = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
  private static final String REVIEW =
      "{\"apiVersion\":\"authentication.k8s.io/v1\",\"kind\":\"SelfSubjectReview\"}";

  private LoginProvider first;
  private LoginProvider second;
  private LoginProvider other;
  private KeelsonProcess server;

  @BeforeAll
  void start(@TempDir Path directory) throws IOException {
    first = new LoginProvider();
    second = new LoginProvider();
    other = new LoginProvider();
    server =
        KeelsonProcess.start(
            directory.resolve("data"),
            List.of(
                "--authentication-config="
                    + Files.writeString(
                        directory.resolve("authentication.yaml"),
                        """
                        apiVersion: apiserver.config.k8s.io/v1
                        kind: AuthenticationConfiguration
                        jwt:
                        """
                            + issuer(other, "other", "another")
                            + issuer(first, "first", LoginProvider.CLIENT)
                            + issuer(second, "second", LoginProvider.CLIENT)),
                "--console-oidc-client-id=" + LoginProvider.CLIENT,
                "--console-oidc-client-secret-file="
                    + Files.writeString(directory.resolve("secret"), LoginProvider.SECRET + "\n"),
                "--console-oidc-extra-scopes=offline_access",
                KeelsonProcess.FEW_CONTROLLERS));
  }

  @AfterAll
  void stop() {
    server.close();
    first.close();
    second.close();
    other.close();
  }

  private static String issuer(LoginProvider provider, String prefix, String audience) {
    return """
        - issuer:
            url: %s
            audiences: [%s]
            certificateAuthority: |
        %s
          claimMappings:
            username: {claim: sub, prefix: "%s:"}
        """
        .formatted(provider.url(), audience, provider.certificatePem().indent(6), prefix);
  }

  @Test
  void session_namesTheIssuersOfTheClientId() {
    Response state = console().get("/console/session");

    assertThat(state.<Boolean>path("login")).isTrue();
    assertThat(state.<List<String>>path("issuers")).containsExactly(first.url(), second.url());
  }

  @Test
  void login_isAtTheIssuerThatIsAskedFor_elseAtTheFirst() {
    assertThat(location(begin(null)).toString()).startsWith(first.url() + "/");
    assertThat(location(begin(second.url())).toString()).startsWith(second.url() + "/");
    for (String unknown : List.of(other.url(), "https://evil.example", "")) {
      assertThat(begin(unknown).statusCode()).isEqualTo(404);
    }
  }

  @Test
  void sessions_areOfTheirIssuers_whichRefreshThem() {
    Cookies ofFirst = logIn(first);
    Cookies ofSecond = logIn(second);

    assertThat(user(ofFirst)).isEqualTo("first:ann");
    assertThat(user(ofSecond)).isEqualTo("second:ann");

    int before = first.refreshes();
    Response refreshed = console().cookies(ofSecond).post("/console/session/refresh");
    assertThat(user(refreshed.detailedCookies())).isEqualTo("second:ann");
    assertThat(first.refreshes()).isEqualTo(before);
    assertThat(second.refreshes()).isPositive();
  }

  /** An issuer answers a login that was begun at another one (RFC 9207, section 1). */
  @Test
  void responseOfAnotherIssuer_beginsNothing() {
    Response begun = begin(second.url());

    Response back = back(begun, first.approve(location(begun)));

    assertThat(back.header("Location")).isEqualTo("/console/?login=refused");
  }

  @Test
  void browser_choosesTheIssuer_whichAlsoEndsTheSession() {
    URI address = URI.create("https://localhost:" + server.address().getPort());
    try (Browser browser = Browser.start(address)) {
      browser.open("/console/list/core/v1/pods/default?sort=-Name");
      browser.find("a", "Sign in at " + URI.create(first.url()).getAuthority());
      browser.click("a", "Sign in at " + URI.create(second.url()).getAuthority());
      browser.click("#in");

      browser.find(".user", "second:ann");
      assertThat(browser.evaluate("location.pathname + location.search"))
          .isEqualTo("/console/list/core/v1/pods/default?sort=-Name");

      browser.click("button", "Sign out");
      browser.find("a", "Sign in at " + URI.create(first.url()).getAuthority());
      assertThat(second.revoked()).isNotEmpty();
      assertThat(first.revoked()).isEmpty();
      browser.assertQuiet();
    }
  }

  private Response begin(@Nullable String issuer) {
    RequestSpecification asked = nobody().redirects().follow(false);
    return (issuer == null ? asked : asked.queryParam("issuer", issuer)).get("/console/login");
  }

  private Cookies logIn(LoginProvider provider) {
    Response begun = begin(provider.url());
    return back(begun, provider.approve(location(begun))).detailedCookies();
  }

  private Response back(Response begun, URI response) {
    return nobody()
        .redirects()
        .follow(false)
        .urlEncodingEnabled(false)
        .cookies(begun.detailedCookies())
        .get("/console/callback?" + response.getRawQuery());
  }

  private static URI location(Response response) {
    return URI.create(response.header("Location"));
  }

  private String user(Cookies session) {
    return console()
        .cookies(session)
        .contentType("application/json")
        .body(REVIEW)
        .post(WHO)
        .path("status.userInfo.username");
  }

  private RequestSpecification console() {
    return nobody().header("X-Keelson-Console", "1");
  }

  private RequestSpecification nobody() {
    return RestClient.nobody(server).request();
  }
}
