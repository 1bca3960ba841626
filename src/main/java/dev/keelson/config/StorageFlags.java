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

/** Flags of the store: an etcd cluster or a SQLite file. */
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
    mediaType =
        group.single(
            "storage-media-type",
            "TYPE",
            "application/json",
            "Media type of built-in objects in the store: application/json, or"
                + " application/vnd.kubernetes.protobuf as kube-apiserver uses. Both are always"
                + " readable; custom resources are always stored as JSON.",
            StorageFlags::mediaType);
    compactionInterval =
        group.single(
            "etcd-compaction-interval",
            "DURATION",
            "5m",
            "Interval between compactions of the store (etcd or SQLite), each to the revision"
                + " of one interval before; 0 disables compaction.",
            Values::duration);
    synchronous =
        group.single(
            "sqlite-synchronous",
            "MODE",
            "FULL",
            "SQLite's synchronous pragma: OFF, NORMAL or FULL. Below FULL, acknowledged writes"
                + " can be lost in a power failure.",
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

  private String prefix(Settings settings) {
    String given = settings.value(prefix);
    if (!given.startsWith("/") || given.length() < 2) {
      throw new FlagException(
          prefix.dashed() + ": a path such as /registry is expected, found \"" + given + "\"");
    }
    return given.endsWith("/") ? given.substring(0, given.length() - 1) : given;
  }
}
