package dev.keelson.authz.webhook;

import dev.keelson.authz.Attributes;
import dev.keelson.authz.Authorizer;
import dev.keelson.authz.AuthorizerMetrics;
import dev.keelson.authz.Decision;
import dev.keelson.authz.ResolvedRules;
import dev.keelson.cache.ExpiringCache;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.request.UserInfo;
import dev.keelson.webhook.RetryBackoff;
import java.io.IOException;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * Authorizes requests by SubjectAccessReviews that a remote service answers ({@code
 * --authorization-webhook-*}). Transient failures are retried; if they persist, the failure policy
 * decides between denial and no opinion.
 */
public final class WebhookAuthorizer implements Authorizer {

  /** Maximum number of cached decisions; about a hundred bytes each. */
  private static final int MAX_CACHED = 8192;

  /** Maximum length of a cached spec in characters, which bounds the memory of the cache. */
  private static final int MAX_CACHED_LENGTH = 10_000;

  /** The failure policy. */
  public enum OnFailure {
    NO_OPINION,
    DENY
  }

  /**
   * How the webhook is called.
   *
   * @param version {@code v1} or {@code v1beta1}
   * @param authorizedTtl how long to cache allowed decisions; 0 disables caching
   * @param unauthorizedTtl how long to cache denied decisions; 0 disables caching
   * @param onFailure the decision if the webhook or a match condition fails
   * @param conditions select the requests that are sent to the webhook
   */
  public record Terms(
      String version,
      Duration authorizedTtl,
      Duration unauthorizedTtl,
      OnFailure onFailure,
      MatchConditions conditions) {}

  private final ReviewService service;
  private final String name;
  private final AuthorizerMetrics metrics;
  private final Terms terms;
  private final RetryBackoff backoff;
  private final ExpiringCache<MapNode, Decision> cache;

  /** Without metrics. */
  public WebhookAuthorizer(ReviewService service, Terms terms, InstantSource clock) {
    this(service, terms, "", AuthorizerMetrics.NONE, clock);
  }

  /**
   * @param name for metrics
   */
  public WebhookAuthorizer(
      ReviewService service,
      Terms terms,
      String name,
      AuthorizerMetrics metrics,
      InstantSource clock) {
    this(service, terms, name, metrics, RetryBackoff.DEFAULT, clock);
  }

  WebhookAuthorizer(
      ReviewService service,
      Terms terms,
      String name,
      AuthorizerMetrics metrics,
      RetryBackoff backoff,
      InstantSource clock) {
    this.service = service;
    this.name = name;
    this.metrics = metrics;
    this.terms = terms;
    this.backoff = backoff;
    this.cache = new ExpiringCache<>(MAX_CACHED, clock);
  }

  @Override
  public Decision authorize(Attributes attributes) {
    return switch (verdict(attributes)) {
      case MatchConditions.Verdict.Ask all -> answer(attributes);
      case MatchConditions.Verdict.Skip(boolean failed) -> {
        if (failed) {
          metrics.unknown(name);
        }
        metrics.excluded(name);
        yield Decision.NoOpinion.PLAIN;
      }
      case MatchConditions.Verdict.Unknown(String error) -> {
        metrics.unknown(name);
        yield failed(error);
      }
    };
  }

  private MatchConditions.Verdict verdict(Attributes attributes) {
    if (terms.conditions.expressions().isEmpty()) {
      return new MatchConditions.Verdict.Ask();
    }
    long begin = System.nanoTime();
    MatchConditions.Verdict verdict = terms.conditions.verdict(attributes);
    metrics.evaluated(name, Duration.ofNanos(System.nanoTime() - begin));
    return verdict;
  }

  private Decision failed(String error) {
    return switch (terms.onFailure) {
      case NO_OPINION -> new Decision.NoOpinion("", error);
      case DENY -> new Decision.Deny("", error);
    };
  }

  private Decision answer(Attributes attributes) {
    MapNode spec = SubjectAccessReviewSpec.of(attributes, terms.version);
    Optional<Decision> cached = cache.get(spec);
    if (cached.isPresent()) {
      return cached.get();
    }
    try {
      Decision decision = read(ask(spec));
      cache(spec, decision);
      return decision;
    } catch (IOException e) {
      if (terms.onFailure == OnFailure.NO_OPINION) {
        metrics.failedOpen(name, result(e));
      }
      return failed("authorization webhook: " + e.getMessage());
    }
  }

  private MapNode ask(MapNode spec) throws IOException {
    MapNode review =
        MapNode.of("kind", Node.text("SubjectAccessReview"))
            .with("apiVersion", Node.text("authorization.k8s.io/" + terms.version))
            .with("metadata", MapNode.EMPTY)
            .with("spec", spec);
    return backoff.run(RetryableException.class::isInstance, () -> asked(review));
  }

  private MapNode asked(MapNode review) throws IOException {
    long begin = System.nanoTime();
    String result = "success";
    try {
      return service.ask(review);
    } catch (IOException e) {
      result = result(e);
      throw e;
    } finally {
      metrics.asked(name, result, Duration.ofNanos(System.nanoTime() - begin));
    }
  }

  private static String result(IOException failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof HttpTimeoutException) {
        return "timeout";
      }
    }
    return "error";
  }

  private static Decision read(MapNode answer) throws IOException {
    if (!(answer.get("status") instanceof MapNode status)) {
      throw new IOException("the response has no status");
    }
    boolean allowed = status.get("allowed") == Node.Bool.TRUE;
    boolean denied = status.get("denied") == Node.Bool.TRUE;
    String reason = status.text("reason");
    if (allowed && denied) {
      return new Decision.Deny(
          reason, "webhook subject access review returned both allow and deny response");
    }
    return allowed
        ? new Decision.Allow(reason)
        : denied ? new Decision.Deny(reason, "") : new Decision.NoOpinion(reason, "");
  }

  private void cache(MapNode spec, Decision decision) {
    if (spec.toString().length() <= MAX_CACHED_LENGTH) {
      cache.put(spec, decision, decision.allowed() ? terms.authorizedTtl : terms.unauthorizedTtl);
    }
  }

  @Override
  public ResolvedRules rules(UserInfo user, String namespace) {
    return new ResolvedRules(
        List.of(),
        /* incomplete= */ true,
        List.of("webhook authorizer does not support user rule resolution"));
  }
}
