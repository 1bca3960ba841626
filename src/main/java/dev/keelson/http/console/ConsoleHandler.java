package dev.keelson.http.console;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.authn.Authenticator;
import dev.keelson.authn.oidc.AuthorizationCodeClient;
import dev.keelson.http.ApiRequest;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.ApiResponse.Header;
import dev.keelson.http.Body;
import dev.keelson.http.Exchange;
import dev.keelson.http.PathErrors;
import dev.keelson.http.RequestHandler;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Serves {@code /console/}: the page for every path below it, which the page itself interprets, so
 * that each view has a link; its files below {@code assets/}, {@code session}, {@code login} and
 * {@code callback}. The files are public, as the program is; what they show comes from the API.
 *
 * <p>Every response forbids what the page does not need: scripts and styles other than its own
 * files, texts that become scripts or markup, frames, and being framed (Content Security Policy 3,
 * Trusted Types). Files have a hash of their content in their name, and are kept by browsers; the
 * page is asked for each time.
 */
public final class ConsoleHandler implements RequestHandler {

  private static final String ROOT = "/console/";
  private static final String ASSETS = ROOT + "assets/";
  private static final String SESSION = ROOT + "session";
  private static final String REFRESH = SESSION + SessionHandler.REFRESH;
  private static final String LOGIN = ROOT + "login";
  private static final String CALLBACK = ROOT + "callback";
  private static final String PAGE = "index.html";

  private static final String POLICY =
      String.join(
          "; ",
          "default-src 'none'",
          "script-src 'self'",
          "style-src 'self'",
          "img-src 'self'",
          "connect-src 'self'",
          "base-uri 'none'",
          "form-action 'none'",
          "frame-ancestors 'none'",
          "require-trusted-types-for 'script'",
          "trusted-types 'none'");

  private static final List<Header> SAFETY =
      List.of(
          new Header("Content-Security-Policy", POLICY),
          new Header("X-Content-Type-Options", "nosniff"),
          new Header("X-Frame-Options", "DENY"),
          new Header("Referrer-Policy", "no-referrer"),
          new Header("Cross-Origin-Opener-Policy", "same-origin"),
          new Header("Cross-Origin-Resource-Policy", "same-origin"));

  private final SessionHandler session;
  private final LoginHandler login;

  /**
   * The login at OpenID Connect providers.
   *
   * @param clients the clients, one for each provider; the first is the default
   * @param externalHost the host and port by which browsers reach this server; empty for those of
   *     each request
   */
  public record Providers(
      Supplier<List<AuthorizationCodeClient>> clients, Supplier<Optional<String>> externalHost) {}

  /**
   * @param authenticators the authenticators of all requests
   * @param secret the key of logins, the same on every server of a store; read on use
   */
  public ConsoleHandler(
      ConsoleSessions sessions,
      Authenticator authenticators,
      Providers providers,
      Supplier<byte[]> secret,
      SecureRandom random,
      InstantSource clock) {
    login =
        new LoginHandler(
            sessions,
            authenticators,
            providers.clients(),
            providers.externalHost(),
            secret,
            random,
            clock);
    session = new SessionHandler(sessions, authenticators, login);
  }

  @Override
  public ApiResponse answer(Exchange exchange) {
    ApiRequest request = exchange.request();
    String path = request.path();
    if (path.equals(SESSION) || path.equals(REFRESH)) {
      return session.answer(request);
    }
    if (!request.method().equals("GET")) {
      throw PathErrors.notAllowed();
    }
    if (path.equals(LOGIN)) {
      return login.login(request);
    }
    if (path.equals(CALLBACK)) {
      return login.callback(request);
    }
    if (!path.startsWith(ROOT)) {
      return new ApiResponse(308, List.of(new Header("Location", ROOT)), Body.Payload.EMPTY);
    }
    if (path.startsWith(ASSETS)) {
      return file(request, path.substring(ASSETS.length()))
          .map(found -> found.with("Cache-Control", "public, max-age=31536000, immutable"))
          .orElseThrow(PathErrors::unknownPath);
    }
    return file(request, PAGE)
        .map(found -> found.with("Cache-Control", "no-cache"))
        .orElseThrow(ConsoleHandler::notBuilt);
  }

  private static Optional<ApiResponse> file(ApiRequest request, String name) {
    boolean compressed =
        request.header("Accept-Encoding").toLowerCase(Locale.ROOT).contains("gzip");
    return ConsoleFiles.find(name, compressed)
        .map(
            body -> {
              ApiResponse found =
                  ApiResponse.of(200, type(name), body).with("Vary", "Accept-Encoding");
              return compressed ? found.with("Content-Encoding", "gzip") : found;
            });
  }

  private static String type(String name) {
    return switch (name.substring(name.lastIndexOf('.') + 1)) {
      case "html" -> "text/html; charset=utf-8";
      case "js" -> "text/javascript; charset=utf-8";
      case "css" -> "text/css; charset=utf-8";
      case "svg" -> "image/svg+xml";
      default -> "application/octet-stream";
    };
  }

  /** Returns the response with the headers that every response of the console has. */
  public static ApiResponse safe(ApiResponse answer) {
    List<Header> headers = new ArrayList<>(answer.headers());
    headers.addAll(SAFETY);
    return new ApiResponse(answer.status(), headers, answer.body());
  }

  private static ApiException notBuilt() {
    return new ApiException(
        Reason.NOT_FOUND, "this program was built without the console (-Dconsole.skip)");
  }
}
