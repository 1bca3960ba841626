package dev.keelson.config;

import dev.keelson.config.flag.Checks;
import dev.keelson.config.flag.Flag;
import dev.keelson.config.flag.FlagException;
import dev.keelson.config.flag.FlagGroup;
import dev.keelson.config.flag.Settings;
import dev.keelson.config.flag.Values;
import dev.keelson.config.option.KeyPairFiles;
import dev.keelson.config.option.StorageOptions.Cluster;
import dev.keelson.config.option.StorageOptions.ResourceOverride;
import dev.keelson.config.option.StorageOptions.Tls;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Flags that say which etcd is meant and how it is reached, and the prefix of keys. */
final class EtcdFlags {

  /** Cannot be stored elsewhere. */
  private static final List<String> KEPT =
      List.of(
          "/namespaces",
          "apiextensions.k8s.io/customresourcedefinitions",
          "rbac.authorization.k8s.io/clusterroles",
          "rbac.authorization.k8s.io/clusterrolebindings",
          "rbac.authorization.k8s.io/roles",
          "rbac.authorization.k8s.io/rolebindings");

  private final Flag<List<URI>> servers;
  private final Flag<List<Named>> overrides;
  private final Flag<@Nullable Path> caFile;
  private final Flag<@Nullable Path> certFile;
  private final Flag<@Nullable Path> keyFile;
  private final Flag<String> prefix;

  EtcdFlags(FlagGroup group) {
    servers =
        group.list(
            "etcd-servers",
            "URL",
            "etcd servers to store objects in, for example https://10.1.2.3:2379. Defaults to"
                + " a SQLite file in the data directory.",
            Values::server);
    overrides =
        group.list(
            "etcd-servers-overrides",
            "OVERRIDE",
            "Built-in resources that are stored in another etcd, as group/resource#servers with"
                + " servers separated by semicolons, for example"
                + " /events#https://10.1.2.4:2379;https://10.1.2.5:2379. * is every resource of a"
                + " group. Namespaces, the resources of RBAC and CustomResourceDefinitions stay in"
                + " --etcd-servers.",
            EtcdFlags::named);
    caFile =
        group.optional(
            "etcd-cafile",
            "FILE",
            "Certificate authorities in PEM that verify the etcd servers' certificates.",
            Values::path);
    certFile =
        group.optional(
            "etcd-certfile",
            "FILE",
            "Client certificate in PEM for connections to etcd.",
            Values::path);
    keyFile =
        group.optional(
            "etcd-keyfile",
            "FILE",
            "Private key in PEM that matches --etcd-certfile.",
            Values::path);
    prefix =
        group.single(
            "etcd-prefix", "PATH", "/registry", "Prefix of all keys in the store.", Values::text);
  }

  Flag<List<URI>> servers() {
    return servers;
  }

  /** The flags that need etcd. */
  List<Flag<?>> ofEtcdOnly() {
    return List.of(overrides, caFile, certFile, keyFile);
  }

  /** An override as it is written. */
  private record Named(String group, String resource, List<URI> servers) {}

  private static Named named(String text) {
    int hash = text.indexOf('#');
    int slash = text.indexOf('/');
    if (hash < 0
        || hash != text.lastIndexOf('#')
        || slash < 0
        || slash > hash
        || text.substring(0, hash).lastIndexOf('/') != slash
        || slash + 1 == hash) {
      throw Values.expected(
          "group/resource#servers, where servers are URLs, semicolon separated,", text);
    }
    return new Named(
        text.substring(0, slash),
        text.substring(slash + 1, hash),
        Arrays.stream(text.substring(hash + 1).split(";", -1)).map(Values::server).toList());
  }

  /**
   * What is stored elsewhere. The order of changes of some types matters to others, which only one
   * store can tell.
   */
  List<ResourceOverride> overrides(Settings settings) {
    List<ResourceOverride> all = new ArrayList<>();
    for (Named named : settings.value(overrides)) {
      for (String kept : KEPT) {
        String group = kept.substring(0, kept.indexOf('/'));
        String resource = kept.substring(kept.indexOf('/') + 1);
        if (named.group().equals(group)
            && (named.resource().equals(resource)
                || named.resource().equals(ResourceOverride.ALL))) {
          throw new FlagException(
              overrides.dashed()
                  + ": "
                  + resource
                  + " must be in "
                  + servers.dashed()
                  + ", with what depends on the order of their changes");
        }
      }
      all.add(
          new ResourceOverride(
              named.group(), named.resource(), cluster(settings, overrides, named.servers())));
    }
    return all;
  }

  /** The cluster of {@code --etcd-servers}. */
  Cluster cluster(Settings settings) {
    List<URI> all = new ArrayList<>(settings.value(servers));
    settings.value(overrides).forEach(named -> all.addAll(named.servers()));
    for (Flag<?> flag : List.of(caFile, certFile)) {
      if (settings.has(flag) && all.stream().noneMatch(EtcdFlags::secure)) {
        throw new FlagException(flag.dashed() + " needs https addresses in " + servers.dashed());
      }
    }
    return cluster(settings, servers, settings.value(servers));
  }

  private static boolean secure(URI server) {
    return "https".equals(server.getScheme());
  }

  private Cluster cluster(Settings settings, Flag<?> flag, List<URI> given) {
    return new Cluster(given, tls(settings, flag, given));
  }

  /** How the servers are reached; null without TLS. */
  private @Nullable Tls tls(Settings settings, Flag<?> flag, List<URI> given) {
    Path authorities = settings.value(caFile);
    Path certificate = settings.value(certFile);
    Path key = settings.value(keyFile);
    Checks.bothOrNeither(settings, certFile, keyFile);
    long secure = given.stream().filter(EtcdFlags::secure).count();
    if (secure != 0 && secure != given.size()) {
      throw new FlagException(flag.dashed() + ": http and https cannot be mixed");
    }
    if (secure == 0) {
      return null;
    }
    KeyPairFiles client = null;
    if (certificate != null && key != null) {
      client =
          new KeyPairFiles(Checks.readable(certFile, certificate), Checks.readable(keyFile, key));
    }
    return new Tls(authorities == null ? null : Checks.readable(caFile, authorities), client);
  }

  /** The prefix of every key, with a leading slash and without a trailing one. */
  String prefix(Settings settings) {
    String given = settings.value(prefix);
    // as Go's path.Join("/", prefix)
    List<String> segments = new ArrayList<>();
    for (String segment : given.split("/", -1)) {
      if (segment.equals("..")) {
        if (!segments.isEmpty()) {
          segments.removeLast();
        }
      } else if (!segment.isEmpty() && !segment.equals(".")) {
        segments.add(segment);
      }
    }
    if (segments.isEmpty()) {
      throw new FlagException(
          prefix.dashed() + ": a path such as /registry is expected, found \"" + given + "\"");
    }
    return "/" + String.join("/", segments);
  }
}
