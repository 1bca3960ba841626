package dev.keelson.http.console;

import dev.keelson.authn.Authentication;
import dev.keelson.authn.Authenticator;
import dev.keelson.authn.Credentials;
import dev.keelson.authn.oidc.AuthorizationCodeClient;
import dev.keelson.authn.oidc.AuthorizationCodeClient.Login;
import dev.keelson.authn.oidc.AuthorizationCodeClient.Tokens;
import dev.keelson.authn.oidc.LoginException;
import dev.keelson.http.ApiRequest;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.ApiResponse.Header;
import dev.keelson.http.Body;
import dev.keelson.http.PathErrors;
import dev.keelson.http.Query;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jboss.logging.Logger;

/**
 * The login of the console at OpenID Connect providers: {@code login} sends the browser there,
 * {@code callback} takes it back and begins a session.
 *
 * <p>What binds the two is in an encrypted cookie of ten minutes. It is {@code SameSite=Lax}, since
 * the browser comes back from another site and would not send a {@code Strict} one; it holds no
 * token. The cookies of the session that begins are {@code Strict}: the page is public, and its own
 * requests, which are of the same site, carry them. A login is of one browser window at a time: the
 * cookie of a later one replaces that of an earlier.
 */
final class LoginHandler {

  /** What the page says of a login that failed; in the address of the page. */
  private enum Failure {
    /** The login took too long, was begun twice or elsewhere. */
    EXPIRED,
    /** The user refused, or the provider refused the user. */
    DENIED,
    /** The response or its token is not valid here. */
    REFUSED,
    /** The provider cannot be reached. */
    UNAVAILABLE
  }

  private static final Logger LOG = Logger.getLogger(LoginHandler.class);

  private static final String ROOT = "/console/";
  private static final Duration TIME = Duration.ofMinutes(10);
  private static final String COOKIE = "__Host-keelson-console-login";
  private static final String ATTRIBUTES = "; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=";

  /** Random bytes of state, nonce and verifier; 43 characters are the least for a verifier. */
  private static final int RANDOM = 32;

  /** Paths of the console with a query: what its own router makes. */
  private static final Pattern VIEW = Pattern.compile("/console/[A-Za-z0-9._~!$&'()*+,;=:@%/?-]*");

  private static final int LONGEST_VIEW = 1500;

  /** A host with an optional port, as browsers send it (RFC 9110, section 7.2). */
  private static final Pattern HOST =
      Pattern.compile("[A-Za-z0-9.-]+(:\\d+)?|\\[[0-9a-fA-F:.]+](:\\d+)?");

  private final ConsoleSessions sessions;
  private final Authenticator authenticators;
  private final Supplier<List<AuthorizationCodeClient>> clients;
  private final Supplier<Optional<String>> externalHost;
  private final SecureRandom random;
  private final SealedText seal;

  /**
   * @param authenticators the authenticators of all requests
   * @param clients the clients, one for each provider; the first is the default
   * @param externalHost the host and port by which browsers reach this server; empty for those of
   *     the request
   */
  LoginHandler(
      ConsoleSessions sessions,
      Authenticator authenticators,
      Supplier<List<AuthorizationCodeClient>> clients,
      Supplier<Optional<String>> externalHost,
      Supplier<byte[]> secret,
      SecureRandom random,
      InstantSource clock) {
    this.sessions = sessions;
    this.authenticators = authenticators;
    this.clients = clients;
    this.externalHost = externalHost;
    this.random = random;
    this.seal = new SealedText(secret, "console login", random, clock);
  }

  /** The issuers at which users can log in. */
  List<String> issuers() {
    return clients.get().stream().map(AuthorizationCodeClient::issuer).toList();
  }

  private Optional<AuthorizationCodeClient> provider(String issuer) {
    return clients.get().stream().filter(each -> each.issuer().equals(issuer)).findFirst();
  }

  /**
   * Sends the browser to a provider: that of the parameter {@code issuer}, or the first. The
   * parameter {@code to} is the view to come back to.
   */
  ApiResponse login(ApiRequest request) {
    AuthorizationCodeClient provider =
        (request.query().has("issuer")
                ? provider(request.query().first("issuer"))
                : clients.get().stream().findFirst())
            .orElseThrow(PathErrors::unknownPath);
    Login login = new Login(text(), text(), text());
    String sealed =
        seal.seal(
            String.join(
                "\n",
                login.state(),
                login.nonce(),
                login.verifier(),
                provider.issuer(),
                view(request.query().first("to"))),
            TIME);
    try {
      URI to = provider.authorization(login, redirect(request));
      return see(
          to.toString(),
          List.of(new Header("Set-Cookie", COOKIE + "=" + sealed + ATTRIBUTES + TIME.toSeconds())));
    } catch (LoginException e) {
      return failed(request, Failure.UNAVAILABLE, e.reason());
    }
  }

  /** Takes the browser back from the provider. */
  ApiResponse callback(ApiRequest request) {
    if (clients.get().isEmpty()) {
      throw PathErrors.unknownPath();
    }
    Query query = request.query();
    String[] begun =
        seal.open(Cookies.of(request).getOrDefault(COOKIE, "")).orElse("").split("\n", -1);
    Optional<AuthorizationCodeClient> begunAt =
        begun.length == 5 ? provider(begun[3]) : Optional.empty();
    if (begunAt.isEmpty()
        || !same(begun[0], query.first("state"))
        || query.all("state").size() != 1) {
      return failed(request, Failure.EXPIRED, "the state is not that of a login of this browser");
    }
    if (query.has("error") || query.all("code").size() != 1) {
      return failed(request, Failure.DENIED, "the provider answered " + query.first("error"));
    }
    AuthorizationCodeClient provider = begunAt.get();
    Login login = new Login(begun[0], begun[1], begun[2]);
    Tokens tokens;
    try {
      tokens = provider.redeem(query.first("code"), login, redirect(request), query.first("iss"));
    } catch (LoginException e) {
      return failed(request, failure(e), e.reason());
    }
    return begin(request, tokens, provider.issuer(), begun[4]);
  }

  private ApiResponse begin(ApiRequest request, Tokens tokens, String issuer, String view) {
    switch (authenticators.authenticate(Credentials.ofToken(tokens.identity(), List.of()))) {
      case Authentication.Authenticated known -> {
        ConsoleSessions.Session session =
            sessions.create(tokens.identity(), tokens.refresh(), issuer);
        if (!ConsoleSessions.fits(session)) {
          // then the session ends with the token
          session = session.with(tokens.identity(), "");
        }
        if (!ConsoleSessions.fits(session)) {
          return failed(request, Failure.REFUSED, "the ID token is too long for a cookie");
        }
        LOG.infof(
            "event=console-sign-in user=%s issuer=%s remote=%s",
            known.user().name(), issuer, request.remoteAddress());
        List<Header> headers = new ArrayList<>(sessions.cookies(session));
        headers.add(removed());
        return see(view, headers);
      }
      case Authentication.Rejected rejected -> {
        return failed(request, Failure.REFUSED, rejected.reason());
      }
      case Authentication.NoOpinion _ -> {
        return failed(request, Failure.REFUSED, "no authenticator accepts the ID token");
      }
    }
  }

  /**
   * Gives a session newer tokens.
   *
   * @return empty if the provider refuses, or the new token is not valid here
   * @throws LoginException if the provider cannot be reached
   */
  Optional<ConsoleSessions.Session> refreshed(ConsoleSessions.Session session)
      throws LoginException {
    Optional<AuthorizationCodeClient> provider = provider(session.issuer());
    if (provider.isEmpty() || session.refresh().isEmpty()) {
      return Optional.empty();
    }
    Tokens newer;
    try {
      newer = provider.get().refresh(new Tokens(session.token(), session.refresh()));
    } catch (LoginException e) {
      if (e.kind() == LoginException.Cause.UNAVAILABLE) {
        throw e;
      }
      LOG.infof("event=console-refresh-refused issuer=%s reason=%s", session.issuer(), e.reason());
      return Optional.empty();
    }
    boolean valid =
        authenticators.authenticate(Credentials.ofToken(newer.identity(), List.of()))
            instanceof Authentication.Authenticated;
    ConsoleSessions.Session next = session.with(newer.identity(), newer.refresh());
    return valid && ConsoleSessions.fits(next) ? Optional.of(next) : Optional.empty();
  }

  /**
   * Ends a session at the provider as far as it can be ended from here.
   *
   * @return where the browser ends the provider's own session; empty if there is no such place
   */
  Optional<URI> ended(ConsoleSessions.Session session, ApiRequest request) {
    Optional<AuthorizationCodeClient> provider = provider(session.issuer());
    if (provider.isEmpty()) {
      return Optional.empty();
    }
    try {
      if (!session.refresh().isEmpty()) {
        provider.get().revoke(session.refresh());
      }
      return provider.get().endSession("https://" + host(request) + ROOT);
    } catch (LoginException e) {
      // the session of this browser ends all the same
      LOG.warnf("event=console-revocation-failed reason=%s", e.reason());
      return Optional.empty();
    }
  }

  private static Failure failure(LoginException e) {
    return switch (e.kind()) {
      case UNAVAILABLE -> Failure.UNAVAILABLE;
      case REFUSED -> Failure.REFUSED;
    };
  }

  private ApiResponse failed(ApiRequest request, Failure failure, String reason) {
    LOG.infof(
        "event=console-sign-in-failed remote=%s reason=%s",
        request.remoteAddress(), reason.replaceAll("\\p{Cntrl}", " "));
    return see(ROOT + "?login=" + failure.name().toLowerCase(Locale.ROOT), List.of(removed()));
  }

  private static Header removed() {
    return new Header("Set-Cookie", COOKIE + "=" + ATTRIBUTES + 0);
  }

  private static ApiResponse see(String location, List<Header> headers) {
    List<Header> all = new ArrayList<>(headers);
    all.add(new Header("Location", location));
    all.add(new Header("Cache-Control", "no-store"));
    return new ApiResponse(303, all, Body.Payload.EMPTY);
  }

  /** Where the provider sends the browser back to: it only does if it knows this address. */
  private String redirect(ApiRequest request) {
    return "https://" + host(request) + ROOT + "callback";
  }

  private String host(ApiRequest request) {
    return externalHost
        .get()
        .orElseGet(
            () -> {
              String host = request.header("Host");
              if (!HOST.matcher(host).matches()) {
                throw PathErrors.unknownPath();
              }
              return host;
            });
  }

  /** A view of the console; its first page for every other address. */
  static String view(String wanted) {
    boolean own =
        wanted.length() <= LONGEST_VIEW
            && VIEW.matcher(wanted).matches()
            && !wanted.contains("..")
            && !wanted.toLowerCase(Locale.ROOT).contains("%2e");
    return own ? wanted : ROOT;
  }

  private String text() {
    byte[] bytes = new byte[RANDOM];
    random.nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  private static boolean same(String one, String other) {
    return MessageDigest.isEqual(
        one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
  }
}
