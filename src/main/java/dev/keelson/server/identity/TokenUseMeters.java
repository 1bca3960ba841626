package dev.keelson.server.identity;

import dev.keelson.authn.serviceaccount.TokenUse;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Counts the uses of tokens of service accounts, under Kubernetes' names (source:
 * pkg/serviceaccount/metrics.go).
 */
public final class TokenUseMeters implements Consumer<TokenUse> {

  private final Map<TokenUse, Counter> counters = new EnumMap<>(TokenUse.class);

  /** Counters that begin with 0. */
  public TokenUseMeters(MeterRegistry registry) {
    for (TokenUse use : TokenUse.values()) {
      counters.put(
          use,
          Counter.builder("serviceaccount_" + name(use) + "_total")
              .description(help(use))
              .register(registry));
    }
  }

  @Override
  public void accept(TokenUse use) {
    Counter counter = counters.get(use);
    if (counter != null) {
      counter.increment();
    }
  }

  private static String name(TokenUse use) {
    return switch (use) {
      case LEGACY -> "legacy_tokens";
      case LEGACY_GENERATED -> "legacy_auto_token_uses";
      case LEGACY_MANUAL -> "legacy_manual_token_uses";
      case LEGACY_INVALIDATED -> "invalid_legacy_auto_token_uses";
      case STALE -> "stale_tokens";
      case VALID -> "valid_tokens";
    };
  }

  private static String help(TokenUse use) {
    return switch (use) {
      case LEGACY -> "Uses of tokens that are stored in Secrets.";
      case LEGACY_GENERATED -> "Uses of tokens whose Secret was made for the account.";
      case LEGACY_MANUAL -> "Uses of tokens whose Secret somebody has made.";
      case LEGACY_INVALIDATED -> "Uses of tokens whose Secret is labelled as invalid.";
      case STALE -> "Uses of requested tokens that should have been renewed before.";
      case VALID -> "Uses of requested tokens that need not be renewed yet.";
    };
  }
}
