package dev.keelson.server.encryption;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The key management services of a configuration.
 *
 * @param providers in the order of the file
 */
record KmsProviders(List<KmsProvider> providers) implements AutoCloseable {
  KmsProviders {
    providers = List.copyOf(providers);
  }

  /** What is wrong with those that are not healthy; empty if all are. */
  Optional<String> failure() {
    List<String> failures = new ArrayList<>();
    for (int i = 0; i < providers.size(); i++) {
      String name = "kms-provider-" + i;
      providers.get(i).check().ifPresent(failure -> failures.add(name + ": " + failure));
    }
    if (failures.isEmpty()) {
      return Optional.empty();
    }
    String text = String.join(", ", failures);
    return Optional.of(failures.size() == 1 ? text : "[" + text + "]");
  }

  @Override
  public void close() {
    providers.forEach(KmsProvider::close);
  }
}
