package dev.keelson.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Gives the tests of a class a server on a store, as a parameter of the constructor. All classes of
 * a run share one server a store, and keep to namespaces and names of their own.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(SharedServers.class)
public @interface ServedBy {

  /** Where the server keeps its objects. */
  enum Backend {
    SQLITE,
    ETCD
  }

  /** The store. */
  Backend value();
}
