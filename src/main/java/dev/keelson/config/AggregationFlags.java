package dev.keelson.config;

import dev.keelson.config.flag.Checks;
import dev.keelson.config.flag.Flag;
import dev.keelson.config.flag.FlagException;
import dev.keelson.config.flag.FlagGroup;
import dev.keelson.config.flag.Settings;
import dev.keelson.config.flag.Values;
import dev.keelson.config.option.AggregationOptions;
import dev.keelson.config.option.KeyPairFiles;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Flags of how webhooks and other API servers are reached. */
final class AggregationFlags {

  private final Flag<@Nullable Path> certificate;
  private final Flag<@Nullable Path> key;
  private final Flag<Boolean> endpointRouting;
  private final Flag<Boolean> rejectRedirects;

  AggregationFlags(FlagGroup group) {
    certificate =
        group.optional(
            "proxy-client-cert-file",
            "FILE",
            "Client certificate in PEM that proves to API servers behind this one (APIService)"
                + " that their requests come from a front proxy; reloaded when it changes.",
            Values::path);
    key =
        group.optional(
            "proxy-client-key-file",
            "FILE",
            "Private key in PEM of --proxy-client-cert-file.",
            Values::path);
    endpointRouting =
        group.toggle(
            "enable-aggregator-routing",
            false,
            "Send requests to a Service (of a webhook or an APIService) to a ready endpoint instead"
                + " of its cluster IP.");
    rejectRedirects =
        group.toggle(
            "aggregator-reject-forwarding-redirect",
            true,
            "Answer 502 instead of passing redirects of API servers behind this one to clients.");
  }

  AggregationOptions options(Settings settings) {
    Path shown = settings.value(certificate);
    Path secret = settings.value(key);
    if ((shown == null) != (secret == null)) {
      Flag<?> one = shown == null ? key : certificate;
      Flag<?> other = shown == null ? certificate : key;
      throw new FlagException(one.dashed() + " needs " + other.dashed() + " as well");
    }
    KeyPairFiles pair =
        shown == null || secret == null
            ? null
            : new KeyPairFiles(Checks.readable(certificate, shown), Checks.readable(key, secret));
    return new AggregationOptions(
        pair, settings.value(endpointRouting), settings.value(rejectRedirects));
  }
}
