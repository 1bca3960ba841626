package dev.keelson.http.console;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.authn.Authentication;
import dev.keelson.authn.Authenticator;
import dev.keelson.authn.Credentials;
import dev.keelson.authn.oidc.AuthorizationCodeClient;
import dev.keelson.authn.oidc.LoginException;
import dev.keelson.http.ApiRequest;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.ApiResponse.Header;
import dev.keelson.http.Body;
import dev.keelson.http.PathErrors;
import dev.keelson.http.console.ConsoleSessions.Session;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.codec.ObjectWriter;
import dev.keelson.schema.codec.tree.DecodeException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jboss.logging.Logger;

/**
 * The session of a browser. GET tells the page what it must know of it, and whether users can log
 * in at a provider; POST takes {@code {"token": "..."}} as JSON and begins a session if the token
 * is valid; POST of {@code refresh} replaces the tokens of a login at a provider; DELETE ends the
 * session. All want {@link ConsoleSessions#HEADER}, so that no other site signs a user in or out.
 *
 * @param authenticators the authenticators of all requests
 */
record SessionHandler(ConsoleSessions sessions, Authenticator authenticators, LoginHandler login) {

  private static final Logger LOG = Logger.getLogger(SessionHandler.class);

  /** The path below that of the session. */
  static final String REFRESH = "/refresh";

  ApiResponse answer(ApiRequest request) {
    if (request.header(ConsoleSessions.HEADER).isEmpty()
        || ConsoleSessions.isOfAnotherSite(request)) {
      throw new ApiException(Reason.FORBIDDEN, "sessions are for the console's own page");
    }
    return switch (request.method()) {
      case "GET" -> answer(200, List.of(), state(sessions.find(request)));
      case "POST" -> request.path().endsWith(REFRESH) ? refresh(request) : begin(request);
      case "DELETE" -> end(request);
      default -> throw PathErrors.notAllowed();
    };
  }

  private ApiResponse begin(ApiRequest request) {
    String token = token(request);
    // as what it is: no authenticator may take the certificate or a header instead
    switch (authenticators.authenticate(Credentials.ofToken(token, List.of()))) {
      case Authentication.Authenticated known ->
          LOG.infof(
              "event=console-sign-in user=%s remote=%s",
              known.user().name(), request.remoteAddress());
      case Authentication.Rejected _, Authentication.NoOpinion _ -> throw unauthorized();
    }
    return answer(204, sessions.cookies(sessions.create(token, "", "")), MapNode.EMPTY);
  }

  private ApiResponse refresh(ApiRequest request) {
    Session session = sessions.find(request).orElseThrow(SessionHandler::unauthorized);
    try {
      Optional<Session> next = login.refreshed(session);
      return next.isEmpty()
          ? answer(401, sessions.end(request), MapNode.EMPTY)
          : answer(200, sessions.cookies(next.get()), state(next));
    } catch (LoginException e) {
      LOG.warnf("event=console-refresh-failed reason=%s", e.reason());
      throw new ApiException(
          Reason.SERVICE_UNAVAILABLE, "the OpenID Connect provider cannot be reached");
    }
  }

  private ApiResponse end(ApiRequest request) {
    Optional<Session> session = sessions.find(request);
    List<Header> cookies = sessions.end(request);
    Optional<URI> elsewhere = session.flatMap(each -> login.ended(each, request));
    return elsewhere.isEmpty()
        ? answer(204, cookies, MapNode.EMPTY)
        : answer(200, cookies, MapNode.of("endSession", Node.text(elsewhere.get().toString())));
  }

  /** What the page must know: nothing secret. Times are in seconds since the epoch. */
  private MapNode state(Optional<Session> session) {
    List<String> issuers = login.issuers();
    MapNode.Builder state = MapNode.builder(5).put("login", Node.Bool.of(!issuers.isEmpty()));
    if (issuers.size() > 1) {
      state.put("issuers", new Node.Items(issuers.stream().<Node>map(Node::text).toList()));
    }
    session.ifPresent(
        each -> {
          state.put("end", new Node.Int(each.end().getEpochSecond()));
          state.put("refresh", Node.Bool.of(!each.refresh().isEmpty()));
          AuthorizationCodeClient.expiry(each.token())
              .ifPresent(end -> state.put("tokenEnd", new Node.Int(end.getEpochSecond())));
        });
    return state.build();
  }

  private static ApiException unauthorized() {
    return new ApiException(Reason.UNAUTHORIZED, "Unauthorized");
  }

  private static String token(ApiRequest request) {
    if (!request.header("Content-Type").startsWith("application/json")) {
      throw ApiException.badRequest("the body must be application/json");
    }
    String token;
    try {
      token =
          ObjectReader.untypedJson(request.body()) instanceof MapNode sent
              ? sent.text("token")
              : "";
    } catch (DecodeException e) {
      throw ApiException.badRequest("the body must be {\"token\": \"...\"}");
    }
    if (token.isEmpty()
        || token.length() > ConsoleSessions.MOST_TOKEN
        || !token.chars().allMatch(letter -> letter > ' ' && letter < 0x7f)) {
      throw ApiException.badRequest(
          "the token must be 1 to %d printable ASCII characters without spaces"
              .formatted(ConsoleSessions.MOST_TOKEN));
    }
    return token;
  }

  private static ApiResponse answer(int status, List<Header> headers, MapNode body) {
    List<Header> all = new ArrayList<>(headers);
    all.add(new Header("Cache-Control", "no-store"));
    if (status != 204) {
      all.add(new Header("Content-Type", "application/json"));
    }
    return new ApiResponse(
        status, all, status == 204 ? Body.Payload.EMPTY : Body.Payload.of(ObjectWriter.json(body)));
  }
}
