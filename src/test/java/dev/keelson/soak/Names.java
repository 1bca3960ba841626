package dev.keelson.soak;

import dev.keelson.soak.Observations.Scope;
import java.util.Random;

/**
 * The names of the objects of a run.
 *
 * @param prefix of its namespaces
 */
record Names(String prefix) {

  static final int NAMESPACES = 3;
  private static final int NAMES = 12;
  private static final int GROUPS = 3;

  /** One of the namespaces. */
  String namespace(int number) {
    return prefix + number;
  }

  /** The namespace and name of one of the objects. */
  String key(Random random) {
    return namespace(random.nextInt(NAMESPACES)) + "/m" + random.nextInt(NAMES);
  }

  /** One of the values of the label {@code group}. */
  int group(Random random) {
    return random.nextInt(GROUPS);
  }

  /** A scope of a list or a watch. */
  Scope scope(Random random) {
    String namespace = random.nextBoolean() ? "" : namespace(random.nextInt(NAMESPACES));
    return new Scope(namespace, random.nextBoolean() ? "" : "g" + group(random));
  }

  /** The path of the ConfigMaps of an object's namespace. */
  static String collection(String key) {
    return Api.path(key.substring(0, key.indexOf('/')));
  }

  /** The path of an object. */
  static String path(String key) {
    return collection(key) + "/" + name(key);
  }

  /** The name of an object. */
  static String name(String key) {
    return key.substring(key.indexOf('/') + 1);
  }
}
