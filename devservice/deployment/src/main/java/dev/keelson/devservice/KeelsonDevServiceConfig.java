package dev.keelson.devservice;

import io.quarkus.runtime.annotations.ConfigPhase;
import io.quarkus.runtime.annotations.ConfigRoot;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.util.List;
import java.util.Optional;

/** The settings of the Dev Service. */
@ConfigMapping(prefix = "quarkus.keelson.devservices")
@ConfigRoot(phase = ConfigPhase.BUILD_TIME)
public interface KeelsonDevServiceConfig {

  /** Whether dev mode and tests get a server if no other is configured. */
  @WithDefault("true")
  boolean enabled();

  /** Nodes that run pods in appearance only; with a scheduler. */
  @WithDefault("0")
  int simulatedNodes();

  /** Manifests on the class path that are applied when the server starts. */
  Optional<List<String>> manifests();

  /** More flags of the server. */
  Optional<List<String>> flags();
}
