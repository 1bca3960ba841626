package dev.keelson.http.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.authn.Authentication;
import dev.keelson.authn.RemoteService;
import dev.keelson.authn.oidc.AuthorizationCodeClient;
import dev.keelson.authn.oidc.ClaimExpressions;
import dev.keelson.authn.oidc.Issuer;
import dev.keelson.authn.oidc.LoginOptions;
import dev.keelson.http.ApiRequest;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.ApiResponse.Header;
import dev.keelson.http.Query;
import dev.keelson.request.UserInfo;
import dev.keelson.testing.LoginProvider;
import dev.keelson.testing.ManualClock;
import java.net.URI;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What depends on time and on a provider that is away; the rest is in ConsoleLoginIT. */
class LoginHandlerTest {

  private final ManualClock clock = new ManualClock();
  private final LoginProvider provider = new LoginProvider();
  private final LoginHandler handler = handler(provider.url());

  private LoginHandler handler(String issuer) {
    ConsoleSessions sessions = new ConsoleSessions(() -> new byte[32], new SecureRandom(), clock);
    AuthorizationCodeClient client =
        new AuthorizationCodeClient(
            new Issuer(
                issuer,
                Issuer.discoveryUrl(issuer),
                List.of(LoginProvider.CLIENT),
                new Issuer.Mapping("sub", ""),
                new Issuer.Mapping("", ""),
                "",
                Map.of(),
                Set.of("ES256"),
                ClaimExpressions.NONE),
            new RemoteService(provider::trust, Map.of()),
            new LoginOptions(LoginProvider.CLIENT, null, List.of()),
            () -> LoginProvider.SECRET,
            clock);
    return new LoginHandler(
        sessions,
        credentials ->
            new Authentication.Authenticated(new UserInfo("ann", "", List.of(), Map.of())),
        () -> List.of(client),
        Optional::empty,
        () -> new byte[32],
        new SecureRandom(),
        clock);
  }

  @AfterEach
  void stop() {
    provider.close();
  }

  @Test
  void login_thatTookTenMinutes_isOver() {
    ApiResponse begun = handler.login(request("", ""));
    URI response = provider.approve(URI.create(header(begun, "Location")));
    clock.advance(Duration.ofMinutes(10));

    ApiResponse back = handler.callback(request(response.getRawQuery(), cookie(begun)));

    assertThat(header(back, "Location")).isEqualTo("/console/?login=expired");
  }

  @Test
  void login_inTime_begins() {
    ApiResponse begun = handler.login(request("to=/console/access", ""));
    URI response = provider.approve(URI.create(header(begun, "Location")));
    clock.advance(Duration.ofMinutes(9));

    ApiResponse back = handler.callback(request(response.getRawQuery(), cookie(begun)));

    assertThat(header(back, "Location")).isEqualTo("/console/access");
  }

  @Test
  void redirectAddress_isThatOfTheBrowser() {
    ApiRequest literal = request("", "").withHeaders(Map.of("host", List.of("[::1]:6443")));

    assertThat(header(handler.login(literal), "Location"))
        .contains("redirect_uri=https%3A%2F%2F%5B%3A%3A1%5D%3A6443%2Fconsole%2Fcallback");
    assertThat(header(handler.login(request("", "")), "Location"))
        .contains("redirect_uri=https%3A%2F%2Fkeelson.example%3A6443%2Fconsole%2Fcallback");
  }

  /** The provider is not asked again at once: everybody can begin a login. */
  @Test
  void providerThatIsAway_isSaid_andAskedAgainLater() {
    provider.close();

    ApiResponse failed = handler.login(request("", ""));

    assertThat(header(failed, "Location")).isEqualTo("/console/?login=unavailable");
    assertThat(header(handler.login(request("", "")), "Location"))
        .isEqualTo("/console/?login=unavailable");
  }

  @Test
  void documentOfAnotherIssuer_isNotBelieved() {
    ApiResponse failed = handler(provider.url() + "/").login(request("", ""));

    assertThat(header(failed, "Location")).isEqualTo("/console/?login=unavailable");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/console/", "/console/list/apps/v1/deployments?labels=a%3Db"})
  void viewsOfTheConsole_areKept(String view) {
    assertThat(LoginHandler.view(view)).isEqualTo(view);
  }

  private static ApiRequest request(String query, String cookie) {
    return new ApiRequest(
        "GET",
        "/console/login",
        Query.parse(query),
        Map.of("host", List.of("keelson.example:6443"), "cookie", List.of(cookie)),
        new byte[0],
        List.of(),
        "client");
  }

  private static String cookie(ApiResponse begun) {
    String set = header(begun, "Set-Cookie");
    return set.substring(0, set.indexOf(';'));
  }

  private static String header(ApiResponse response, String name) {
    return response.headers().stream()
        .filter(each -> each.name().equals(name))
        .map(Header::value)
        .findFirst()
        .orElseThrow();
  }
}
