package dev.keelson.server.pki;

import dev.keelson.value.IpAddress;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/**
 * The names a serving certificate stands for.
 *
 * @param dns DNS names, in lower case
 * @param addresses IP addresses, as the JDK writes them
 */
public record SubjectNames(Set<String> dns, Set<String> addresses) {

  private static final int DNS = 2;
  private static final int ADDRESS = 7;

  public SubjectNames {
    dns = Set.copyOf(dns);
    addresses = Set.copyOf(addresses);
  }

  /** Sorts texts into addresses and names. */
  public static SubjectNames of(Collection<String> texts) {
    Set<String> dns = new LinkedHashSet<>();
    Set<String> addresses = new LinkedHashSet<>();
    for (String text : texts) {
      IpAddress.tryParse(text)
          .ifPresentOrElse(
              address -> addresses.add(address.address().getHostAddress()),
              () -> dns.add(text.toLowerCase(Locale.ROOT)));
    }
    return new SubjectNames(dns, addresses);
  }

  /** The names in {@code certificate}. */
  public static SubjectNames in(X509Certificate certificate) {
    Collection<List<?>> names;
    try {
      names = certificate.getSubjectAlternativeNames();
    } catch (CertificateParsingException e) {
      throw new PkiException("the names of a certificate cannot be read", e);
    }
    if (names == null) {
      return new SubjectNames(Set.of(), Set.of());
    }
    Set<String> texts = new LinkedHashSet<>();
    for (List<?> name : names) {
      if (name.get(0) instanceof Integer kind && (kind == DNS || kind == ADDRESS)) {
        texts.add(String.valueOf(name.get(1)));
      }
    }
    return of(texts);
  }

  /** Whether all names of {@code other} are among these. */
  boolean contains(SubjectNames other) {
    return dns.containsAll(other.dns) && addresses.containsAll(other.addresses);
  }

  /** Whether {@code host}, a name or an address, is among these. */
  boolean contains(String host) {
    return contains(of(List.of(host)));
  }

  /** All names in a fixed order. */
  List<String> sorted() {
    Set<String> all = new TreeSet<>(dns);
    all.addAll(addresses);
    return List.copyOf(all);
  }
}
