package dev.keelson.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Injects a server on a store as a constructor parameter of a test class. All classes of a run
 * share one server per store, and use their own namespaces and names.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(SharedServers.class)
public @interface ServedBy {

  /** The kinds of stores. */
  enum Backend {
    SQLITE,
    ETCD
  }

  /** The store. */
  Backend value();
}
