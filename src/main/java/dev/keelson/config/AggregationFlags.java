package dev.keelson.config;

import dev.keelson.config.flag.Flag;
import dev.keelson.config.flag.FlagGroup;
import dev.keelson.config.flag.Settings;
import dev.keelson.config.option.AggregationOptions;

/** Flags of webhooks and other API servers. */
final class AggregationFlags {

  private final Flag<Boolean> routing;

  AggregationFlags(FlagGroup group) {
    routing =
        group.toggle(
            "enable-aggregator-routing",
            false,
            "Send requests to a Service (of a webhook or an APIService) to a ready endpoint instead"
                + " of its cluster IP.");
  }

  AggregationOptions options(Settings settings) {
    return new AggregationOptions(settings.value(routing));
  }
}
