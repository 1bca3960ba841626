package dev.keelson.config;

import dev.keelson.config.flag.Checks;
import dev.keelson.config.flag.Flag;
import dev.keelson.config.flag.FlagException;
import dev.keelson.config.flag.FlagGroup;
import dev.keelson.config.flag.Settings;
import dev.keelson.config.flag.Values;
import dev.keelson.config.option.KeyPairFiles;
import dev.keelson.config.option.StorageOptions;
import dev.keelson.config.option.StorageOptions.MediaType;
import dev.keelson.config.option.StorageOptions.Synchronous;
import dev.keelson.config.option.StorageOptions.Tls;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Where objects are kept: an etcd cluster, or a SQLite file. */
final class StorageFlags {

  private final Flag<List<URI>> servers;
  private final Flag<@Nullable Path> caFile;
  private final Flag<@Nullable Path> certFile;
  private final Flag<@Nullable Path> keyFile;
  private final Flag<String> prefix;
  private final Flag<MediaType> mediaType;
  private final Flag<Duration> compactionInterval;
  private final Flag<Synchronous> synchronous;

  StorageFlags(FlagGroup group) {
    servers =
        group.list(
            "etcd-servers",
            "URL",
            "The etcd servers to keep objects in, for example https://10.1.2.3:2379. Without it a"
                + " SQLite file in the data directory is used.",
            Values::server);
    caFile =
        group.optional(
            "etcd-cafile",
            "FILE",
            "Authorities in PEM that the etcd servers' certificates are checked against.",
            Values::path);
    certFile =
        group.optional(
            "etcd-certfile",
            "FILE",
            "The client certificate in PEM to show to etcd.",
            Values::path);
    keyFile =
        group.optional(
            "etcd-keyfile",
            "FILE",
            "The private key in PEM that belongs to --etcd-certfile.",
            Values::path);
    prefix =
        group.single(
            "etcd-prefix",
            "PATH",
            "/registry",
            "What the keys of all objects begin with.",
            Values::text);
    mediaType =
        group.single(
            "storage-media-type",
            "TYPE",
            "application/json",
            "What objects of built-in types are written to the store in: application/json, or"
                + " application/vnd.kubernetes.protobuf as kube-apiserver does. Both are always"
                + " read; objects of custom resources are always JSON.",
            StorageFlags::mediaType);
    compactionInterval =
        group.single(
            "etcd-compaction-interval",
            "DURATION",
            "5m",
            "How often the store's history is cut to about this age, in either store; 0 is never.",
            Values::duration);
    synchronous =
        group.single(
            "sqlite-synchronous",
            "MODE",
            "FULL",
            "How certain SQLite makes a write before it is answered: OFF, NORMAL or FULL."
                + " Below FULL, answered writes can be lost when the machine loses power.",
            Values.oneOf(List.of(Synchronous.values())));
  }

  StorageOptions options(Settings settings, Path dataDir) {
    List<URI> given = settings.value(servers);
    Duration interval = settings.value(compactionInterval);
    return given.isEmpty() ? sqlite(settings, dataDir, interval) : etcd(settings, given, interval);
  }

  private StorageOptions sqlite(Settings settings, Path dataDir, Duration interval) {
    for (Flag<?> flag : List.<Flag<?>>of(caFile, certFile, keyFile)) {
      if (settings.has(flag)) {
        throw new FlagException(flag.dashed() + " needs " + servers.dashed());
      }
    }
    return new StorageOptions.Sqlite(
        dataDir.resolve("keelson.db"),
        settings.value(synchronous),
        prefix(settings),
        interval,
        settings.value(mediaType));
  }

  private StorageOptions etcd(Settings settings, List<URI> given, Duration interval) {
    if (settings.has(synchronous)) {
      throw new FlagException(
          synchronous.dashed() + " is for SQLite and cannot go with " + servers.dashed());
    }
    return new StorageOptions.Etcd(
        given, tls(settings, given), prefix(settings), interval, settings.value(mediaType));
  }

  private static MediaType mediaType(String text) {
    return switch (text.strip().toLowerCase(Locale.ROOT)) {
      case "application/json" -> MediaType.JSON;
      case "application/vnd.kubernetes.protobuf" -> MediaType.PROTOBUF;
      default ->
          throw Values.expected("application/json or application/vnd.kubernetes.protobuf", text);
    };
  }

  private @Nullable Tls tls(Settings settings, List<URI> given) {
    Path authorities = settings.value(caFile);
    Path certificate = settings.value(certFile);
    Path key = settings.value(keyFile);
    if ((certificate == null) != (key == null)) {
      throw new FlagException(
          (certificate == null ? keyFile.dashed() : certFile.dashed())
              + " needs "
              + (certificate == null ? certFile.dashed() : keyFile.dashed())
              + " as well");
    }
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

  private String prefix(Settings settings) {
    String given = settings.value(prefix);
    if (!given.startsWith("/") || given.length() < 2) {
      throw new FlagException(
          prefix.dashed() + ": a path such as /registry is expected, found \"" + given + "\"");
    }
    return given.endsWith("/") ? given.substring(0, given.length() - 1) : given;
  }
}
