package dev.keelson.config;

import dev.keelson.config.flag.Checks;
import dev.keelson.config.flag.Flag;
import dev.keelson.config.flag.FlagException;
import dev.keelson.config.flag.FlagGroup;
import dev.keelson.config.flag.Settings;
import dev.keelson.config.flag.Values;
import dev.keelson.config.option.KeyPairFiles;
import dev.keelson.config.option.StorageOptions.Tls;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Flags that say which etcd is meant and how it is reached, and the prefix of keys. */
final class EtcdFlags {

  private final Flag<List<URI>> servers;
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
    return List.of(caFile, certFile, keyFile);
  }

  /** How the servers are reached; null without TLS. */
  @Nullable Tls tls(Settings settings, List<URI> given) {
    Path authorities = settings.value(caFile);
    Path certificate = settings.value(certFile);
    Path key = settings.value(keyFile);
    Checks.bothOrNeither(settings, certFile, keyFile);
    long secure = given.stream().filter(uri -> "https".equals(uri.getScheme())).count();
    if (secure != 0 && secure != given.size()) {
      throw new FlagException(servers.dashed() + ": http and https cannot be mixed");
    }
    if (secure == 0) {
      if (authorities != null || certificate != null) {
        throw new FlagException(
            (authorities != null ? caFile : certFile).dashed()
                + " needs https addresses in "
                + servers.dashed());
      }
      return null;
    }
    KeyPairFiles client = null;
    if (certificate != null && key != null) {
      client =
          new KeyPairFiles(Checks.readable(certFile, certificate), Checks.readable(keyFile, key));
    }
    return new Tls(authorities == null ? null : Checks.readable(caFile, authorities), client);
  }

  /** The prefix of every key, without a trailing slash. */
  String prefix(Settings settings) {
    String given = settings.value(prefix);
    if (!given.startsWith("/") || given.length() < 2) {
      throw new FlagException(
          prefix.dashed() + ": a path such as /registry is expected, found \"" + given + "\"");
    }
    return given.endsWith("/") ? given.substring(0, given.length() - 1) : given;
  }
}
