package dev.keelson.authn;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What was found out about tokens, for as long as it holds: by the digest of the token, never by
 * the token. Has a bound; when it is full, what has ended is forgotten, and then everything. Safe
 * for use by any thread.
 *
 * @param <T> what is known of a token
 */
public final class TokenCache<T extends Object> {

  private final int most;
  private final Map<TokenDigest, Entry<T>> entries = new ConcurrentHashMap<>();

  private record Entry<T>(T value, Instant until) {}

  /**
   * @param most how many tokens are remembered
   */
  public TokenCache(int most) {
    this.most = most;
  }

  /** What is known and still holds at {@code now}. */
  public Optional<T> get(TokenDigest token, Instant now) {
    Entry<T> entry = entries.get(token);
    return entry == null || !now.isBefore(entry.until())
        ? Optional.empty()
        : Optional.of(entry.value());
  }

  /** Remembers {@code value} until {@code until}. */
  public void put(TokenDigest token, T value, Instant until, Instant now) {
    if (entries.size() >= most) {
      entries.values().removeIf(entry -> !now.isBefore(entry.until()));
      if (entries.size() >= most) {
        entries.clear();
      }
    }
    entries.put(token, new Entry<>(value, until));
  }

  /** Forgets everything, for example because the keys have changed. */
  public void clear() {
    entries.clear();
  }
}
