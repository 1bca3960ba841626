package dev.keelson.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.testing.Browser;
import dev.keelson.testing.Eventually;
import dev.keelson.testing.IdentityProvider;
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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The login of the console at an OpenID Connect provider, and what attackers try with it. */
@TestInstance(Lifecycle.PER_CLASS)
@Timeout(180)
class ConsoleLoginIT {

  private static final String WHO = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
  private static final String REVIEW =
      "{\"apiVersion\":\"authentication.k8s.io/v1\",\"kind\":\"SelfSubjectReview\"}";
  private static final String HEADER = "X-Keelson-Console";
  private static final String PODS = "/console/list/core/v1/pods/default?sort=-Name";

  private LoginProvider provider;
  private KeelsonProcess server;

  @BeforeAll
  void start(@TempDir Path directory) throws IOException {
    provider = new LoginProvider();
    server =
        KeelsonProcess.start(
            directory.resolve("data"),
            List.of(
                "--oidc-issuer-url=" + provider.url(),
                "--oidc-client-id=" + LoginProvider.CLIENT,
                "--oidc-ca-file="
                    + Files.writeString(directory.resolve("ca.pem"), provider.certificatePem()),
                "--oidc-username-prefix=oidc:",
                "--oidc-groups-claim=groups",
                "--oidc-signing-algs=ES256",
                "--console-oidc-client-id=" + LoginProvider.CLIENT,
                "--console-oidc-client-secret-file="
                    + Files.writeString(directory.resolve("secret"), LoginProvider.SECRET + "\n"),
                "--console-oidc-extra-scopes=groups,offline_access",
                "--authorization-mode=RBAC",
                KeelsonProcess.FEW_CONTROLLERS));
  }

  @BeforeEach
  void honestProvider() {
    provider.changeClaims(UnaryOperator.identity());
    provider.setLifetime(3600);
    provider.signWithOwn();
  }

  @AfterAll
  void stop() {
    server.close();
    provider.close();
  }

  @Test
  void login_beginsASessionOfTheUser_andComesBackToTheView() {
    Response begun = begin(PODS);
    Map<String, String> asked = LoginProvider.fields(location(begun).getRawQuery());
    assertThat(begun.statusCode()).isEqualTo(303);
    assertThat(asked.get("scope")).isEqualTo("openid groups offline_access");
    assertThat(asked.get("redirect_uri")).isEqualTo(server.address() + "/console/callback");
    assertThat(asked.get("state")).hasSizeGreaterThan(40).isNotEqualTo(asked.get("nonce"));
    // the browser comes back from another site
    assertThat(begun.header("Set-Cookie"))
        .contains("__Host-", "; HttpOnly", "; Secure", "; SameSite=Lax");

    Response back = back(begun, provider.approve(location(begun)));

    assertThat(back.statusCode()).isEqualTo(303);
    assertThat(back.header("Location")).isEqualTo(PODS);
    assertThat(session(back)).isNotEmpty().allMatch(each -> each.contains("; SameSite=Strict"));
    assertThat(back.asString()).isEmpty();
    assertThat(user(back.detailedCookies())).isEqualTo("oidc:ann");
    // the cookie of the login has gone
    assertThat(back.headers().getValues("Set-Cookie"))
        .anyMatch(each -> each.contains("-login=;") && each.contains("Max-Age=0"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://evil.example/",
        "//evil.example/",
        "/\\evil.example",
        "/console/\\..\\x",
        "/console/../api/v1/namespaces/default/pods/x/proxy/",
        "/console/%2e%2e/api",
        "/console/%0d%0aSet-Cookie:x",
        "/console",
        "/console/\r\nSet-Cookie: x=y",
        "javascript:alert(1)"
      })
  void login_neverLeadsElsewhere(String to) {
    Response begun = nobody().redirects().follow(false).queryParam("to", to).get("/console/login");

    Response back = back(begun, provider.approve(location(begun)));

    assertThat(back.header("Location"))
        .isIn("/console/", "/console/%0d%0aSet-Cookie:x")
        .doesNotContain("\r", "\n");
    assertThat(back.header("x")).isNull();
  }

  @Test
  void response_ofALoginOfAnotherBrowser_beginsNothing() {
    Response victim = begin("");
    Response attacker = begin("");
    URI ofAttacker = provider.approve(location(attacker));

    // the attacker's response in the victim's browser: the victim would act as the attacker
    assertFailed(back(victim, ofAttacker), "expired");
    // without any login
    assertFailed(callback(new Cookies(List.of()), ofAttacker), "expired");
    // two states, one of which fits
    assertFailed(back(attacker, URI.create(ofAttacker + "&state=x")), "expired");
  }

  /** A stolen code is of no use without the verifier of the login it was made for (PKCE). */
  @Test
  void code_ofAnotherLogin_isRefused() {
    Response attacker = begin("");
    Response victim = begin("");
    String stolen =
        LoginProvider.fields(provider.approve(location(victim)).getRawQuery()).get("code");
    URI own = provider.approve(location(attacker));

    URI injected =
        URI.create(
            own.toString().replace(LoginProvider.fields(own.getRawQuery()).get("code"), stolen));

    assertFailed(back(attacker, injected), "refused");
  }

  @Test
  void response_isTakenOnce() {
    Response begun = begin("");
    URI response = provider.approve(location(begun));
    assertThat(session(back(begun, response))).isNotEmpty();

    assertFailed(back(begun, response), "refused");
  }

  @Test
  void response_ofAnotherIssuer_isRefused() {
    Response begun = begin("");
    String response = provider.approve(location(begun)).toString();
    String named = response.substring(0, response.indexOf("&iss="));

    assertFailed(back(begun, URI.create(named + "&iss=https://evil.example")), "refused");
    // the provider says that it always names itself
    assertFailed(back(begun, URI.create(named)), "refused");
  }

  @Test
  void refusalOfTheProvider_isSaid() {
    Response begun = begin("");
    String state = LoginProvider.fields(location(begun).getRawQuery()).get("state");

    assertFailed(
        back(begun, URI.create("/console/callback?error=access_denied&state=" + state)), "denied");
    assertFailed(back(begun, URI.create("/console/callback?error=access_denied")), "expired");
  }

  @Test
  void tokens_thatAreNotOfThisLogin_areRefused() {
    Map<String, Map<String, Object>> wrong =
        Map.of(
            "another nonce", Map.of("nonce", "x"),
            "another audience", Map.of("aud", "other"),
            "another issuer", Map.of("iss", "https://evil.example"),
            "presented by another client", Map.of("azp", "other"),
            "several audiences and nobody who presents it",
                Map.of("aud", List.of("kubernetes", "b")),
            "expired", Map.of("exp", 1));
    wrong.forEach(
        (why, claims) -> {
          provider.changeClaims(with(claims));
          Response begun = begin("");
          assertFailed(back(begun, provider.approve(location(begun))), "refused");
        });

    provider.changeClaims(UnaryOperator.identity());
    provider.signWith(IdentityProvider.newKey("EC"));
    Response begun = begin("");
    assertFailed(back(begun, provider.approve(location(begun))), "refused");
  }

  @Test
  void refresh_replacesTheTokens_andTheUserIsTheNewestOne() {
    provider.changeClaims(with(Map.of("groups", List.of("before"))));
    Response back = logIn();
    provider.changeClaims(with(Map.of("groups", List.of("after"))));

    Response refreshed = console().cookies(back.detailedCookies()).post("/console/session/refresh");

    assertThat(refreshed.statusCode()).isEqualTo(200);
    assertThat(refreshed.<Boolean>path("refresh")).isTrue();
    assertThat(refreshed.asString()).doesNotContain("eyJ");
    assertThat(review(refreshed.detailedCookies()).<List<String>>path("status.userInfo.groups"))
        .contains("after")
        .doesNotContain("before");
    // the provider rotates: the old session cannot be refreshed again
    Response again = console().cookies(back.detailedCookies()).post("/console/session/refresh");
    assertThat(again.statusCode()).isEqualTo(401);
    assertThat(again.headers().getValues("Set-Cookie"))
        .allMatch(each -> each.contains("Max-Age=0"));
  }

  @Test
  void expiredToken_is401_untilItIsRefreshed() {
    Response back = logIn();
    provider.changeClaims(with(Map.of("exp", 1)));
    Response expired = console().cookies(back.detailedCookies()).post("/console/session/refresh");

    assertThat(expired.statusCode()).isEqualTo(401);
  }

  @Test
  void refresh_toAnotherUser_endsTheSession() {
    Response back = logIn();
    provider.changeClaims(with(Map.of("sub", "mallory")));

    assertThat(
            console().cookies(back.detailedCookies()).post("/console/session/refresh").statusCode())
        .isEqualTo(401);
  }

  @Test
  void logout_endsTheSessionHereAndAtTheProvider() {
    Cookies session = logIn().detailedCookies();
    int before = provider.revoked().size();

    Response end = console().cookies(session).delete("/console/session");

    URI elsewhere = URI.create(end.<String>path("endSession"));
    assertThat(elsewhere.toString()).startsWith(provider.url() + "/end?");
    assertThat(LoginProvider.fields(elsewhere.getRawQuery()))
        .containsEntry("post_logout_redirect_uri", server.address() + "/console/")
        .doesNotContainKey("id_token_hint");
    assertThat(end.headers().getValues("Set-Cookie")).allMatch(each -> each.contains("Max-Age=0"));
    assertThat(provider.revoked()).hasSize(before + 1);
    // a copy of the cookies
    assertThat(review(session).statusCode()).isEqualTo(401);
  }

  @Test
  void otherSites_neitherReadNorRefreshNorEndTheSession() {
    Cookies session = logIn().detailedCookies();

    assertThat(nobody().cookies(session).get("/console/session").statusCode()).isEqualTo(403);
    assertThat(nobody().cookies(session).post("/console/session/refresh").statusCode())
        .isEqualTo(403);
    assertThat(
            console()
                .cookies(session)
                .header("Sec-Fetch-Site", "cross-site")
                .post("/console/session/refresh")
                .statusCode())
        .isEqualTo(403);
    assertThat(user(session)).isEqualTo("oidc:ann");
  }

  @Test
  void session_tellsThePageWhatItNeeds() {
    assertThat(console().get("/console/session").<Boolean>path("login")).isTrue();
    Response known = console().cookies(logIn().detailedCookies()).get("/console/session");

    assertThat(known.<Boolean>path("refresh")).isTrue();
    assertThat(known.<Integer>path("tokenEnd")).isLessThan(known.<Integer>path("end"));
    assertThat(known.header("Cache-Control")).isEqualTo("no-store");
  }

  /**
   * The provider is 127.0.0.1 and the server localhost: two sites, as in real life, so that the
   * browser keeps its rules of SameSite.
   */
  @Test
  void browser_logsIn_actsAsTheUser_andLogsOut() {
    URI address = URI.create("https://localhost:" + server.address().getPort());
    try (Browser browser = Browser.start(address)) {
      browser.open("/console/list/core/v1/pods/default?sort=-Name");
      browser.click("a", "Sign in with OpenID Connect");
      browser.find("h1", "Provider");
      browser.click("#in");

      browser.find(".user", "oidc:ann");
      assertThat(browser.evaluate("location.pathname + location.search"))
          .isEqualTo("/console/list/core/v1/pods/default?sort=-Name");
      browser.awaitText("User \"oidc:ann\" cannot list");
      assertThat(browser.evaluate("document.cookie")).isEqualTo("");
      assertThat(browser.evaluate("JSON.stringify(localStorage) + JSON.stringify(sessionStorage)"))
          .asString()
          .doesNotContain("eyJ");

      browser.click("button", "Sign out");
      browser.find("input[name=token]");
      browser.open("/console/");
      browser.find("a", "Sign in with OpenID Connect");
      browser.assertQuiet();
    }
  }

  private static void signIn(Browser browser, String path) {
    browser.open(path);
    browser.click("a", "Sign in with OpenID Connect");
    browser.click("#in");
    browser.find(".user", "oidc:ann");
  }

  /** The token expires while the page is shown; the user sees nothing of it. */
  @Test
  void browser_refreshesATokenThatExpires() {
    URI address = URI.create("https://localhost:" + server.address().getPort());
    // the page refreshes a minute before the end, at the earliest after five seconds
    provider.setLifetime(60);
    try (Browser browser = Browser.start(address)) {
      signIn(browser, "/console/");
      provider.changeClaims(with(Map.of("groups", List.of("refreshed"))));
      int before = provider.refreshes();
      provider.setLifetime(3600);

      Eventually.assertEventually(() -> assertThat(provider.refreshes()).isGreaterThan(before));

      browser.open("/console/access?tab=own");
      browser.find(".user[title*=refreshed]");
    }
  }

  /** What is shown must not stay when the user may no longer see it. */
  @Test
  void browser_asksForALogin_whenTheTokenCannotBeRefreshed() {
    URI address = URI.create("https://localhost:" + server.address().getPort());
    provider.setLifetime(60);
    try (Browser browser = Browser.start(address)) {
      signIn(browser, "/console/access?tab=own");
      provider.changeClaims(with(Map.of("exp", 1)));

      browser.find("a", "Sign in with OpenID Connect");
      assertThat(browser.count(".user, .rules")).isZero();
    }
  }

  @Test
  void browser_saysWhyALoginFailed() {
    URI address = URI.create("https://localhost:" + server.address().getPort());
    try (Browser browser = Browser.start(address)) {
      browser.open("/console/callback?code=x&state=y");

      browser.awaitText("was begun in another window");
    }
  }

  private Response begin(String to) {
    return nobody().redirects().follow(false).queryParam("to", to).get("/console/login");
  }

  private Response logIn() {
    Response begun = begin("");
    Response back = back(begun, provider.approve(location(begun)));
    assertThat(session(back)).isNotEmpty();
    return back;
  }

  /** The browser of a login comes back. */
  private Response back(Response begun, URI response) {
    return callback(begun.detailedCookies(), response);
  }

  private Response callback(Cookies cookies, URI response) {
    return nobody()
        .redirects()
        .follow(false)
        .urlEncodingEnabled(false)
        .cookies(cookies)
        .get("/console/callback?" + response.getRawQuery());
  }

  private static void assertFailed(Response response, String why) {
    assertThat(response.statusCode()).isEqualTo(303);
    assertThat(response.header("Location")).isEqualTo("/console/?login=" + why);
    assertThat(session(response)).isEmpty();
  }

  /** The cookies of the session that begins. */
  private static List<String> session(Response response) {
    return response.headers().getValues("Set-Cookie").stream()
        .filter(each -> !each.contains("-login=") && !each.contains("Max-Age=0"))
        .toList();
  }

  private static URI location(Response response) {
    return URI.create(response.header("Location"));
  }

  private static UnaryOperator<Map<String, Object>> with(Map<String, Object> changed) {
    return claims -> {
      Map<String, Object> all = new HashMap<>(claims);
      all.putAll(changed);
      return all;
    };
  }

  private Response review(Cookies session) {
    return console().cookies(session).contentType("application/json").body(REVIEW).post(WHO);
  }

  private String user(Cookies session) {
    return review(session).path("status.userInfo.username");
  }

  private RequestSpecification console() {
    return nobody().header(HEADER, "1");
  }

  private RequestSpecification nobody() {
    return RestClient.nobody(server).request();
  }
}
