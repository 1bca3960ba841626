package dev.keelson.http.node;

/**
 * How this server and kubelets prove who they are. All texts are PEM.
 *
 * @param certificate the client certificate of this server; empty for none
 * @param key its private key; empty for none
 * @param authority the CA of the kubelets' certificates; empty if they are not verified
 */
public record KubeletIdentity(String certificate, String key, String authority) {

  /** No certificate, and none is verified. */
  public static final KubeletIdentity NONE = new KubeletIdentity("", "", "");

  @Override
  public String toString() {
    // without the key
    return "KubeletIdentity[certificate=" + certificate + ", authority=" + authority + "]";
  }
}
