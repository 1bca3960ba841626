package dev.keelson.http.console;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.authn.Authentication;
import dev.keelson.authn.Authenticator;
import dev.keelson.authn.Credentials;
import dev.keelson.http.ApiRequest;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.ApiResponse.Header;
import dev.keelson.http.Body;
import dev.keelson.http.PathErrors;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.codec.tree.DecodeException;
import java.util.List;
import org.jboss.logging.Logger;

/**
 * Signs in and out. POST takes {@code {"token": "..."}} as JSON and begins a session if the token
 * is valid; DELETE ends it. Both want {@link ConsoleSessions#HEADER}, so that no other site signs a
 * user in or out.
 *
 * @param authenticators the authenticators of all requests
 */
record SessionHandler(ConsoleSessions sessions, Authenticator authenticators) {

  private static final Logger LOG = Logger.getLogger(SessionHandler.class);

  ApiResponse answer(ApiRequest request) {
    if (request.header(ConsoleSessions.HEADER).isEmpty()
        || ConsoleSessions.isOfAnotherSite(request)) {
      throw new ApiException(Reason.FORBIDDEN, "sessions are for the console's own page");
    }
    return switch (request.method()) {
      case "POST" -> begin(request);
      case "DELETE" -> answer(ConsoleSessions.end());
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
      case Authentication.Rejected _, Authentication.NoOpinion _ ->
          throw new ApiException(Reason.UNAUTHORIZED, "Unauthorized");
    }
    return answer(sessions.begin(token));
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

  private static ApiResponse answer(List<Header> headers) {
    return new ApiResponse(204, headers, Body.Payload.EMPTY);
  }
}
