package dev.keelson.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.RestClient;
import io.restassured.http.Cookies;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The files and the sessions of the console, and what other sites try with them. */
@TestInstance(Lifecycle.PER_CLASS)
@Timeout(180)
class ConsoleSessionIT {

  private static final String WHO = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
  private static final Map<String, String> REVIEW =
      Map.of("apiVersion", "authentication.k8s.io/v1", "kind", "SelfSubjectReview");
  private static final String HEADER = "X-Keelson-Console";

  private KeelsonProcess server;
  private KeelsonProcess without;

  @BeforeAll
  void start(@TempDir Path directory) throws IOException {
    Path tokens = Files.writeString(directory.resolve("tokens.csv"), "secret,ann,7,\"dev\"\n");
    String flag = "--token-auth-file=" + tokens;
    server =
        KeelsonProcess.start(
            directory.resolve("data"),
            List.of(flag, "--authorization-mode=RBAC", KeelsonProcess.FEW_CONTROLLERS));
    without =
        KeelsonProcess.start(
            directory.resolve("other"),
            List.of(
                flag,
                "--authorization-mode=RBAC",
                "--console=false",
                KeelsonProcess.FEW_CONTROLLERS));
  }

  @AfterAll
  void stop() {
    server.close();
    without.close();
  }

  @Test
  void page_isServedToEverybody_withoutScriptsOfItsOwn() {
    Response page = nobody().get("/console/");

    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(page.contentType()).startsWith("text/html");
    assertThat(page.header("Cache-Control")).isEqualTo("no-cache");
    assertThat(page.asString())
        .doesNotContain("<style")
        .doesNotContainPattern("<script(?! type=\"module\" src=)");
    assertThat(nobody().redirects().follow(false).get("/console").header("Location"))
        .isEqualTo("/console/");
  }

  /** A link to a view loads the page, which finds the view by its address. */
  @Test
  void everyView_isThePage() {
    assertThat(nobody().get("/console/list/apps/v1/deployments").asString())
        .isEqualTo(nobody().get("/console/").asString());
  }

  @Test
  void files_areKeptByBrowsers_andNoOtherIsServed() {
    Matcher script =
        Pattern.compile("src=\"(/console/assets/[^\"]+)\"")
            .matcher(nobody().get("/console/").asString());
    assertThat(script.find()).isTrue();

    Response file = nobody().get(script.group(1));

    assertThat(file.header("Cache-Control")).contains("immutable");
    assertThat(file.contentType()).startsWith("text/javascript");
    for (String name : List.of("nope.js", "index.html.gz", "..%2f..%2fschema.binpb", "%2e%2e/x")) {
      assertThat(nobody().urlEncodingEnabled(false).get("/console/assets/" + name).statusCode())
          .as(name)
          .isIn(403, 404);
    }
  }

  @Test
  void everyResponse_forbidsScriptsFramesAndGuesses() {
    for (Response each :
        List.of(
            nobody().get("/console/"),
            nobody().get("/console/assets/nope.js"),
            nobody().post("/console/session"))) {
      assertThat(each.header("Content-Security-Policy"))
          .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'")
          .contains("require-trusted-types-for 'script'")
          .doesNotContain("unsafe");
      assertThat(each.header("X-Content-Type-Options")).isEqualTo("nosniff");
      assertThat(each.header("X-Frame-Options")).isEqualTo("DENY");
      assertThat(each.header("Cross-Origin-Opener-Policy")).isEqualTo("same-origin");
    }
  }

  @Test
  void session_isTheUserOfTheToken_untilItEnds() {
    Cookies session = signIn("secret").detailedCookies();

    assertThat(user(console().cookies(session))).isEqualTo("ann");

    Response end = console().cookies(session).delete("/console/session");
    assertThat(end.statusCode()).isEqualTo(204);
    assertThat(end.headers().getValues("Set-Cookie")).allMatch(each -> each.contains("Max-Age=0"));
  }

  @Test
  void invalidToken_beginsNothing() {
    Response refused = signIn("nope");

    assertThat(refused.statusCode()).isEqualTo(401);
    assertThat(refused.headers().getValues("Set-Cookie")).isEmpty();
    assertThat(signIn("").statusCode()).isEqualTo(400);
    assertThat(signIn("two\nlines").statusCode()).isEqualTo(400);
    assertThat(signIn("x".repeat(9000)).statusCode()).isEqualTo(400);
  }

  /** The certificate of the connection must not pass for a token. */
  @Test
  void signInWithACertificate_stillNeedsAToken() {
    Response refused =
        RestClient.administrator(server)
            .json(Map.of("token", "nope"))
            .header(HEADER, "1")
            .post("/console/session");

    assertThat(refused.statusCode()).isEqualTo(401);
  }

  @Test
  void otherSites_neitherUseNorBeginNorEndASession() {
    Cookies session = signIn("secret").detailedCookies();

    // a form or an image: the cookie without the header
    assertThat(user(nobody().cookies(session))).isEqualTo("system:anonymous");
    // a page that managed to set the header, in a browser that tells where it comes from
    for (String site : List.of("cross-site", "same-site")) {
      assertThat(user(console().cookies(session).header("Sec-Fetch-Site", site)))
          .isEqualTo("system:anonymous");
      assertThat(
              console()
                  .header("Sec-Fetch-Site", site)
                  .contentType("application/json")
                  .body("{\"token\":\"secret\"}")
                  .post("/console/session")
                  .statusCode())
          .isEqualTo(403);
      assertThat(
              console()
                  .header("Sec-Fetch-Site", site)
                  .cookies(session)
                  .delete("/console/session")
                  .statusCode())
          .isEqualTo(403);
    }
    // a form that signs the user in as the attacker
    assertThat(
            nobody()
                .contentType("text/plain")
                .body("{\"token\":\"secret\"}")
                .post("/console/session")
                .statusCode())
        .isEqualTo(403);
    // the preflight request that would allow the header
    assertThat(
            nobody()
                .header("Origin", "https://evil.example")
                .header("Access-Control-Request-Headers", HEADER)
                .options("/api/v1/namespaces")
                .header("Access-Control-Allow-Headers"))
        .isNull();
  }

  /** A body without a type is JSON to the API, and needs no preflight request. */
  @Test
  void otherSites_doNotUseTheCertificateOfTheBrowser() {
    RestClient browser = RestClient.administrator(server);
    String namespace =
        "{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\"forged\"}}";

    for (Map<String, String> headers :
        List.of(
            Map.of("Origin", "https://evil.example", "Sec-Fetch-Site", "cross-site"),
            Map.of("Origin", "null"),
            Map.of("Sec-Fetch-Site", "same-site"))) {
      assertThat(browser.json(namespace).headers(headers).post("/api/v1/namespaces").statusCode())
          .as("%s", headers)
          .isEqualTo(403);
    }
    assertThat(
            browser
                .json(REVIEW)
                .header("Sec-Fetch-Site", "same-origin")
                .header("Origin", server.address().toString())
                .post(WHO)
                .<String>path("status.userInfo.username"))
        .isNotEqualTo("system:anonymous");
  }

  @Test
  void changedCookie_is401() {
    assertThat(
            console()
                .header("Cookie", "__Host-keelson-console-0=AAAA")
                .get("/version")
                .statusCode())
        .isEqualTo(401);
  }

  @Test
  void withoutTheConsole_itsPathsAreUnknown_andItsCookiesMeanNothing() {
    assertThat(RestClient.administrator(without).get("/console/").statusCode()).isEqualTo(404);
    assertThat(RestClient.nobody(without).get("/console/").statusCode()).isEqualTo(403);
    assertThat(
            RestClient.administrator(without)
                .json(Map.of("token", "secret"))
                .header(HEADER, "1")
                .post("/console/session")
                .statusCode())
        .isEqualTo(404);
  }

  private RequestSpecification nobody() {
    return RestClient.nobody(server).request();
  }

  private RequestSpecification console() {
    return nobody().header(HEADER, "1");
  }

  private Response signIn(String token) {
    return RestClient.nobody(server)
        .json(Map.of("token", token))
        .header(HEADER, "1")
        .post("/console/session");
  }

  private static String user(RequestSpecification request) {
    Response answer = request.contentType("application/json").body(REVIEW).post(WHO);
    // strangers may not ask who they are, and are told so by name
    return answer.statusCode() == 403
        ? answer.<String>path("message").replaceFirst(".* User \"([^\"]*)\" .*", "$1")
        : answer.path("status.userInfo.username");
  }
}
