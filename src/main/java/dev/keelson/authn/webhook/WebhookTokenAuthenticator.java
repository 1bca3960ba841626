package dev.keelson.authn.webhook;

import dev.keelson.authn.Authentication;
import dev.keelson.authn.Authenticator;
import dev.keelson.authn.Credentials;
import dev.keelson.authn.TokenDigest;
import dev.keelson.authn.UnexpectedResponseException;
import dev.keelson.authn.jwt.Claims;
import dev.keelson.authn.jwt.InvalidJwtException;
import dev.keelson.authn.jwt.JsonText;
import dev.keelson.cache.ExpiringCache;
import dev.keelson.request.UserInfo;
import dev.keelson.webhook.RetryBackoff;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Authenticates bearer tokens by TokenReviews sent to a webhook. Responses are cached, whether the
 * token is valid or not, but not those with an error; failed requests are attempted five times.
 */
public final class WebhookTokenAuthenticator implements Authenticator {

  private static final int MAX_CACHED = 4096;

  private final WebhookOptions options;
  private final Service service;
  private final List<String> apiAudiences;
  private final RetryBackoff backoff;
  private final ExpiringCache<TokenDigest, Authentication> cache;

  /** The webhook. */
  @FunctionalInterface
  public interface Service {

    /**
     * Sends a TokenReview and returns the response; blocks.
     *
     * @throws IOException if the request fails
     */
    String review(String json) throws IOException;
  }

  /**
   * @param apiAudiences the audiences of the API, sent if the request names none; empty leaves the
   *     choice to the webhook
   */
  public WebhookTokenAuthenticator(
      WebhookOptions options, Service service, List<String> apiAudiences, InstantSource clock) {
    this(options, service, apiAudiences, RetryBackoff.DEFAULT, clock);
  }

  WebhookTokenAuthenticator(
      WebhookOptions options,
      Service service,
      List<String> apiAudiences,
      RetryBackoff backoff,
      InstantSource clock) {
    this.options = options;
    this.service = service;
    this.apiAudiences = List.copyOf(apiAudiences);
    this.backoff = backoff;
    this.cache = new ExpiringCache<>(MAX_CACHED, clock);
  }

  @Override
  public Authentication authenticate(Credentials credentials) {
    Optional<String> token = credentials.bearerToken();
    if (token.isEmpty()) {
      return new Authentication.NoOpinion();
    }
    List<String> wanted =
        credentials.audiences().isEmpty() ? apiAudiences : credentials.audiences();
    TokenDigest digest = TokenDigest.of(token.get() + "\n" + String.join("\n", wanted));
    Optional<Authentication> before = cache.get(digest);
    if (before.isPresent()) {
      return before.get();
    }
    try {
      Authentication answer = answer(ask(token.get(), wanted), wanted);
      if (!(answer instanceof Authentication.Rejected)) {
        cache.put(digest, answer, options.cacheTtl());
      }
      return answer;
    } catch (IOException | InvalidJwtException e) {
      return new Authentication.Rejected("token review: " + e.getMessage());
    }
  }

  private String ask(String token, List<String> wanted) throws IOException {
    Map<String, Object> spec = new LinkedHashMap<>();
    spec.put("token", token);
    if (!wanted.isEmpty()) {
      spec.put("audiences", wanted);
    }
    Map<String, Object> review = new LinkedHashMap<>();
    review.put("kind", "TokenReview");
    review.put("apiVersion", "authentication.k8s.io/" + options.version());
    review.put("metadata", Map.of());
    review.put("spec", spec);
    String json = JsonText.write(review);
    // timeouts are not retried: the client would not wait that long
    return backoff.run(UnexpectedResponseException::isRetryable, () -> service.review(json));
  }

  private Authentication answer(String json, List<String> wanted) throws InvalidJwtException {
    Claims status = new Claims(JsonText.object(json)).object("status");
    if (!Boolean.TRUE.equals(status.values().get("authenticated"))) {
      String error = status.text("error");
      return error.isEmpty()
          ? new Authentication.NoOpinion()
          : new Authentication.Rejected("token review: " + error);
    }
    List<String> meant = status.texts("audiences");
    List<String> common = new ArrayList<>(wanted);
    common.retainAll(meant.isEmpty() ? apiAudiences : meant);
    if (common.isEmpty() && !wanted.isEmpty()) {
      return new Authentication.NoOpinion();
    }
    Claims user = status.object("user");
    String name = user.text("username");
    if (name.isEmpty()) {
      throw new InvalidJwtException("the response is authenticated but has no username");
    }
    Map<String, List<String>> extra = new LinkedHashMap<>();
    Claims more = user.object("extra");
    for (String key : more.values().keySet()) {
      extra.put(key, more.texts(key));
    }
    return new Authentication.Authenticated(
        new UserInfo(name, user.text("uid"), user.texts("groups"), extra), common);
  }
}
