package dev.keelson.authn.bootstrap;

import dev.keelson.api.GroupVersion;
import dev.keelson.authn.Authentication;
import dev.keelson.authn.Authenticator;
import dev.keelson.authn.Credentials;
import dev.keelson.client.ResourceClient;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.request.UserInfo;
import dev.keelson.value.Timestamp;
import dev.keelson.value.ValueFormatException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Authenticates bootstrap tokens: Secrets of type {@code bootstrap.kubernetes.io/token} in {@code
 * kube-system} with an expiration and usages. The reason why a token is invalid is not returned to
 * the client.
 */
public final class BootstrapTokenAuthenticator implements Authenticator {

  private static final Pattern TOKEN = Pattern.compile("([a-z0-9]{6})\\.([a-z0-9]{16})");
  private static final Pattern GROUP =
      Pattern.compile("system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]");
  private static final String GROUP_OF_ALL = "system:bootstrappers";

  private final ResourceClient client;
  private final InstantSource clock;

  public BootstrapTokenAuthenticator(ResourceClient client, InstantSource clock) {
    this.client = client;
    this.clock = clock;
  }

  @Override
  public Authentication authenticate(Credentials credentials) {
    Matcher token = TOKEN.matcher(credentials.bearerToken().orElse(""));
    if (!token.matches()) {
      return new Authentication.NoOpinion();
    }
    Optional<ApiObject> secret =
        client.get(
            GroupVersion.CORE_V1.resource("secrets"),
            "kube-system",
            "bootstrap-token-" + token.group(1));
    if (secret.isEmpty() || !allows(secret.get(), token.group(1), token.group(2))) {
      return new Authentication.NoOpinion();
    }
    SortedSet<String> groups = new TreeSet<>(List.of(GROUP_OF_ALL));
    for (String group : data(secret.get(), "auth-extra-groups").split(",", -1)) {
      if (!group.isEmpty() && !GROUP.matcher(group).matches()) {
        return new Authentication.NoOpinion();
      }
      if (!group.isEmpty()) {
        groups.add(group);
      }
    }
    return new Authentication.Authenticated(
        new UserInfo("system:bootstrap:" + token.group(1), "", List.copyOf(groups), Map.of()));
  }

  private boolean allows(ApiObject secret, String id, String wanted) {
    byte[] held = data(secret, "token-secret").getBytes(StandardCharsets.UTF_8);
    return secret.root().text("type").equals("bootstrap.kubernetes.io/token")
        && !secret.meta().deleting()
        && data(secret, "token-id").equals(id)
        && MessageDigest.isEqual(held, wanted.getBytes(StandardCharsets.UTF_8))
        && data(secret, "usage-bootstrap-authentication").equals("true")
        && !expired(data(secret, "expiration"));
  }

  /** A malformed expiration counts as expired. */
  private boolean expired(String end) {
    if (end.isEmpty()) {
      return false;
    }
    try {
      Instant until = Timestamp.parse(end).toInstant();
      return !clock.instant().isBefore(until);
    } catch (ValueFormatException e) {
      return true;
    }
  }

  private static String data(ApiObject secret, String key) {
    return secret.root().map("data").get(key) instanceof Node.Text(String base64)
        ? new String(Base64.getMimeDecoder().decode(base64), StandardCharsets.UTF_8)
        : "";
  }
}
