package dev.keelson.storage.object;

import dev.keelson.schema.StoredType;
import dev.keelson.storage.Bytes;
import dev.keelson.storage.KeyRange;

/**
 * The keys of objects, as kube-apiserver lays them out below {@code --etcd-prefix}: {@code
 * /registry/<type>/<namespace>/<name>}, or {@code /registry/<type>/<name>} for cluster-scoped
 * types. An etcd that it filled can be read, and the other way round.
 *
 * @param root the prefix of every key, beginning and not ending with a slash; empty if there is
 *     none
 */
public record KeyLayout(String root) {

  /** The default layout of kube-apiserver. */
  public static final KeyLayout KUBERNETES = new KeyLayout("/registry");

  public KeyLayout {
    String bare = strip(root);
    root = bare.isEmpty() ? "" : "/" + bare;
  }

  /** The key of an object; {@code namespace} is empty for cluster-scoped types. */
  public Bytes key(StoredType type, String namespace, String name) {
    return Bytes.utf8(collection(type, namespace) + name);
  }

  /**
   * The keys of all objects of a type in a namespace, or everywhere if {@code namespace} is empty.
   */
  public KeyRange range(StoredType type, String namespace) {
    return KeyRange.prefix(Bytes.utf8(collection(type, namespace)));
  }

  /**
   * The keys of all objects of a type.
   *
   * @param keyPrefix of the type, as in {@link StoredType}
   */
  public KeyRange range(String keyPrefix) {
    return KeyRange.prefix(Bytes.utf8(root + "/" + keyPrefix + "/"));
  }

  /** What every key begins with, the slash included. */
  public Bytes prefix() {
    return Bytes.utf8(root + "/");
  }

  /** The key of Keelson's own data that is not an API object. */
  public Bytes own(String name) {
    return Bytes.utf8(root + "/keelson.dev/" + name);
  }

  /** The key of data that is not an API object and that kube-apiserver has, too. */
  public Bytes other(String path) {
    return Bytes.utf8(root + "/" + path);
  }

  private String collection(StoredType type, String namespace) {
    String prefix = root + "/" + type.keyPrefix() + "/";
    return namespace.isEmpty() ? prefix : prefix + namespace + "/";
  }

  private static String strip(String root) {
    int begin = 0;
    int end = root.length();
    while (begin < end && root.charAt(begin) == '/') {
      begin++;
    }
    while (end > begin && root.charAt(end - 1) == '/') {
      end--;
    }
    return root.substring(begin, end);
  }
}
