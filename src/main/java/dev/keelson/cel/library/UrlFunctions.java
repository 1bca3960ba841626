package dev.keelson.cel.library;

import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.keelson.cel.library.FunctionDeclarations.Type;

/** Kubernetes' CEL library of URLs. */
final class UrlFunctions {

  private static final Type<String> TEXT = new Type<>(SimpleType.STRING, String.class);
  private static final Type<Url> URL = new Type<>(Url.TYPE, Url.class);

  private UrlFunctions() {}

  static void addTo(FunctionDeclarations list) {
    MapType query = MapType.create(SimpleType.STRING, ListType.create(SimpleType.STRING));
    list.global("url", "string_to_url", URL.cel(), TEXT, Url::parse)
        .global("isURL", "is_url", SimpleType.BOOL, TEXT, Url::isUrl)
        .member("getScheme", "url_get_scheme", SimpleType.STRING, URL, Url::scheme)
        .member("getHost", "url_get_host", SimpleType.STRING, URL, Url::host)
        .member("getHostname", "url_get_hostname", SimpleType.STRING, URL, Url::hostname)
        .member("getPort", "url_get_port", SimpleType.STRING, URL, Url::port)
        .member("getEscapedPath", "url_get_escaped_path", SimpleType.STRING, URL, Url::path)
        .member("getQuery", "url_get_query", query, URL, Url::values);
  }
}
