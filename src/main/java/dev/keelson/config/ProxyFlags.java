package dev.keelson.config;

import dev.keelson.authn.proxy.RequestHeaderOptions;
import dev.keelson.config.flag.Checks;
import dev.keelson.config.flag.Flag;
import dev.keelson.config.flag.FlagGroup;
import dev.keelson.config.flag.Settings;
import dev.keelson.config.flag.Values;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Flags of front proxies, which name the user in request headers. */
final class ProxyFlags {

  private final Flag<List<String>> usernameHeaders;
  private final Flag<List<String>> uidHeaders;
  private final Flag<List<String>> groupHeaders;
  private final Flag<List<String>> extraPrefixes;
  private final Flag<@Nullable Path> clientCaFile;
  private final Flag<List<String>> allowedNames;

  ProxyFlags(FlagGroup group) {
    clientCaFile =
        group.optional(
            "requestheader-client-ca-file",
            "FILE",
            "Certificate authorities in PEM of front proxies: their clients name the user in"
                + " request headers.",
            Values::path);
    usernameHeaders =
        group.list(
            "requestheader-username-headers",
            "HEADER",
            "Headers that hold the user name; the first one present is used. Defaults to"
                + " X-Remote-User.",
            Values::text);
    uidHeaders =
        group.list(
            "requestheader-uid-headers",
            "HEADER",
            "Headers that hold the user's UID. No header is read by default.",
            Values::text);
    groupHeaders =
        group.list(
            "requestheader-group-headers",
            "HEADER",
            "Headers that hold the user's groups. Defaults to X-Remote-Group.",
            Values::text);
    extraPrefixes =
        group.list(
            "requestheader-extra-headers-prefix",
            "PREFIX",
            "Prefixes of headers that hold extra attributes of the user. Defaults to"
                + " X-Remote-Extra-.",
            Values::text);
    allowedNames =
        group.list(
            "requestheader-allowed-names",
            "NAME",
            "CommonNames that a front proxy's certificate may have. Any name is accepted by"
                + " default.",
            Values::text);
  }

  @Nullable RequestHeaderOptions options(Settings settings) {
    Path authorities = settings.value(clientCaFile);
    if (authorities == null) {
      return null;
    }
    return new RequestHeaderOptions(
        or(settings.value(usernameHeaders), "x-remote-user"),
        settings.value(uidHeaders),
        or(settings.value(groupHeaders), "x-remote-group"),
        or(settings.value(extraPrefixes), "x-remote-extra-"),
        Checks.readable(clientCaFile, authorities),
        settings.value(allowedNames));
  }

  /** One line for each flag that has no effect, since no front proxy can be verified. */
  List<String> warnings(Settings settings) {
    if (settings.value(clientCaFile) != null) {
      return List.of();
    }
    return Stream.of(usernameHeaders, uidHeaders, groupHeaders, extraPrefixes, allowedNames)
        .filter(settings::has)
        .map(flag -> flag.dashed() + " has no effect without " + clientCaFile.dashed())
        .toList();
  }

  private static List<String> or(List<String> given, String fallback) {
    return given.isEmpty() ? List.of(fallback) : given;
  }
}
