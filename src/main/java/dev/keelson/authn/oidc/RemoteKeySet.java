package dev.keelson.authn.oidc;

import dev.keelson.authn.RemoteService;
import dev.keelson.authn.jwt.Claims;
import dev.keelson.authn.jwt.InvalidJwtException;
import dev.keelson.authn.jwt.JsonText;
import dev.keelson.authn.jwt.JsonWebKeySet;
import dev.keelson.authn.jwt.Jwt;
import dev.keelson.authn.jwt.VerificationKey;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The keys of one provider, found through its discovery document (OpenID Connect Discovery 1.0,
 * section 4). They are fetched for the first token and again when a token has an unknown {@code
 * kid}, so that keys can be rotated; at most once a second, so that invalid tokens cannot make this
 * server flood the provider. An unavailable provider only affects its own users.
 */
final class RemoteKeySet {

  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final String issuer;
  private final String discoveryUrl;
  private final RemoteService service;
  private final IssuerMetrics metrics;
  private final InstantSource clock;
  private final ReentrantLock fetching = new ReentrantLock();

  /** Replaced under the lock, read by anyone. */
  private volatile State state = new State(List.of(), Instant.MIN, "not fetched yet");

  private record State(List<VerificationKey> keys, Instant asked, String failure) {}

  /**
   * @param discoveryUrl the URL of the discovery document
   * @param metrics records what becomes of fetches of the keys
   */
  RemoteKeySet(
      String issuer,
      String discoveryUrl,
      RemoteService service,
      IssuerMetrics metrics,
      InstantSource clock) {
    this.issuer = issuer;
    this.discoveryUrl = discoveryUrl;
    this.service = service;
    this.metrics = metrics;
    this.clock = clock;
  }

  /** Verifies the signature of a token of this issuer. */
  void verify(Jwt token, Set<String> algorithms) throws InvalidJwtException {
    State known = state;
    if (known.keys().isEmpty() || !names(known.keys(), token)) {
      known = refreshed(known);
    }
    if (known.keys().isEmpty()) {
      throw new InvalidJwtException("cannot fetch the keys of " + issuer + ": " + known.failure());
    }
    token.verify(known.keys(), algorithms);
  }

  private static boolean names(List<VerificationKey> keys, Jwt token) {
    return token.keyId().isEmpty() || keys.stream().anyMatch(key -> key.id().equals(token.keyId()));
  }

  private State refreshed(State seen) {
    fetching.lock();
    try {
      State now = state;
      Instant instant = clock.instant();
      boolean soon = now.asked() != Instant.MIN && instant.isBefore(now.asked().plus(PAUSE));
      if (now != seen || soon) {
        return now;
      }
      State next;
      try {
        next = new State(fetch(), instant, "");
      } catch (IOException | InvalidJwtException e) {
        next = new State(now.keys(), instant, String.valueOf(e.getMessage()));
      }
      state = next;
      return next;
    } finally {
      fetching.unlock();
    }
  }

  /** Returns why the provider's discovery document cannot be had; empty if it can. */
  Optional<String> failure() {
    try {
      URI unused = location();
      return Optional.empty();
    } catch (IOException | InvalidJwtException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  private List<VerificationKey> fetch() throws IOException, InvalidJwtException {
    URI location = location();
    try {
      String sent = service.get(location, Map.of());
      List<VerificationKey> keys = JsonWebKeySet.parse(sent);
      metrics.fetched(issuer, sent);
      return keys;
    } catch (IOException | InvalidJwtException e) {
      metrics.notFetched(issuer);
      throw e;
    }
  }

  /** Finds the keys in the discovery document. */
  private URI location() throws IOException, InvalidJwtException {
    URI discovery = uri(discoveryUrl);
    Claims document = new Claims(JsonText.object(service.get(discovery, Map.of())));
    if (!document.text("issuer").equals(issuer)) {
      throw new InvalidJwtException(
          discovery + " has a different issuer \"" + document.text("issuer") + "\"");
    }
    return uri(document.text("jwks_uri"));
  }

  static URI uri(String text) throws InvalidJwtException {
    try {
      return URI.create(text);
    } catch (IllegalArgumentException e) {
      throw new InvalidJwtException("\"" + text + "\" is not a URL");
    }
  }
}
