package dev.keelson.server.metrics;

import dev.keelson.http.health.Metrics;
import dev.keelson.server.lifecycle.FileReloader;
import dev.keelson.storage.encryption.kms.KeyIds;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** The metrics of the configurations of authentication and authorization, by their flags. */
public final class ConfigurationReloads {

  /** kube-apiserver counts its first reading of this configuration, and of no other. */
  private static final String COUNTED_AT_START = "--authorization-config";

  private final FileReloader files;
  private final Map<String, ReloadMeters> meters = new HashMap<>();

  /**
   * Tells the configurations that are in effect; does nothing without one.
   *
   * @param files follows them, if there are any
   * @param serverId the identity of this server
   */
  public ConfigurationReloads(
      FileReloader files, Metrics metrics, InstantSource clock, Supplier<String> serverId) {
    this.files = files;
    for (String configuration : List.of("authentication", "authorization")) {
      String flag = "--" + configuration + "-config";
      if (files.content(flag).isPresent()) {
        ReloadMeters of = new ReloadMeters(metrics, clock, configuration, serverId.get());
        ReloadMeters unused = meters.put(flag, of);
        tell(flag, of);
        if (flag.equals(COUNTED_AT_START)) {
          of.reloaded("success");
        }
      }
    }
  }

  private void tell(String flag, ReloadMeters of) {
    files.content(flag).map(KeyIds::hash).ifPresent(of::applied);
  }

  /**
   * Counts a changed file; nothing for files of other flags.
   *
   * @param outcome {@code success} or {@code failure}
   */
  public void reloaded(String flag, String outcome) {
    ReloadMeters of = meters.get(flag);
    if (of != null) {
      of.reloaded(outcome);
      if (outcome.equals("success")) {
        tell(flag, of);
      }
    }
  }
}
