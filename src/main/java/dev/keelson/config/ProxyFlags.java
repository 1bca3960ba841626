package dev.keelson.config;

import dev.keelson.authn.proxy.RequestHeaderOptions;
import dev.keelson.config.flag.Checks;
import dev.keelson.config.flag.Flag;
import dev.keelson.config.flag.FlagException;
import dev.keelson.config.flag.FlagGroup;
import dev.keelson.config.flag.Settings;
import dev.keelson.config.flag.Values;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A proxy in front of the server that says who the user is. */
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
            "Authorities in PEM: a client with a certificate of one of them may say in headers who"
                + " the user is.",
            Values::path);
    usernameHeaders =
        group.list(
            "requestheader-username-headers",
            "HEADER",
            "The headers with the user name, the first that is there counts; X-Remote-User if"
                + " absent.",
            Values::text);
    uidHeaders =
        group.list(
            "requestheader-uid-headers",
            "HEADER",
            "The headers with the user's uid; none if absent.",
            Values::text);
    groupHeaders =
        group.list(
            "requestheader-group-headers",
            "HEADER",
            "The headers with the user's groups; X-Remote-Group if absent.",
            Values::text);
    extraPrefixes =
        group.list(
            "requestheader-extra-headers-prefix",
            "PREFIX",
            "What the names of headers with more about the user begin with; X-Remote-Extra- if"
                + " absent.",
            Values::text);
    allowedNames =
        group.list(
            "requestheader-allowed-names",
            "NAME",
            "The CommonNames that the proxy's certificate may have; any if absent.",
            Values::text);
  }

  @Nullable RequestHeaderOptions options(Settings settings) {
    Path authorities = settings.value(clientCaFile);
    if (authorities == null) {
      for (Flag<?> flag :
          List.of(usernameHeaders, uidHeaders, groupHeaders, extraPrefixes, allowedNames)) {
        if (settings.has(flag)) {
          throw new FlagException(flag.dashed() + " needs " + clientCaFile.dashed() + " as well");
        }
      }
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

  private static List<String> or(List<String> given, String fallback) {
    return given.isEmpty() ? List.of(fallback) : given;
  }
}
