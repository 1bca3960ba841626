package dev.keelson.schema.validation.core.pod;

import dev.keelson.schema.validation.QuantityRules;
import dev.keelson.schema.validation.Value;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the containers of a pod request together: those that run side by side are added up, each
 * init container counts with the sidecars that were started before it (source: KEP-753).
 */
final class PodRequests {
  private static final String[] BINARY = {"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};
  private static final String[] DECIMAL = {"", "k", "M", "G", "T", "P", "E"};

  /** An amount of a resource; {@code binary} is how Kubernetes would write it. */
  record Sum(BigDecimal amount, boolean binary) {
    private Sum plus(Sum other) {
      return new Sum(amount.add(other.amount), binary);
    }

    private static Sum larger(Sum one, Sum other) {
      return one.amount.compareTo(other.amount) >= 0 ? one : other;
    }

    /** In the canonical form of quantities. */
    String text() {
      BigDecimal whole = amount.stripTrailingZeros();
      if (whole.scale() > 0) {
        return whole.movePointRight(3).setScale(0, RoundingMode.CEILING).toBigInteger() + "m";
      }
      BigInteger unit = BigInteger.valueOf(binary ? 1024 : 1000);
      BigInteger number = whole.toBigInteger();
      int power = 0;
      while (number.signum() != 0 && power < 6 && number.mod(unit).signum() == 0) {
        number = number.divide(unit);
        power++;
      }
      return number + (binary ? BINARY[power] : DECIMAL[power]);
    }
  }

  private PodRequests() {}

  /** By the resource's name. */
  static Map<String, Sum> of(Value pod) {
    Map<String, Sum> running = new TreeMap<>();
    for (Value container : pod.get("containers")) {
      requests(container).forEach((name, sum) -> running.merge(name, sum, Sum::plus));
    }
    Map<String, Sum> sidecars = new HashMap<>();
    Map<String, Sum> starting = new HashMap<>();
    for (Value container : pod.get("initContainers")) {
      Map<String, Sum> together = requests(container);
      if (container.get("restartPolicy").is("Always")) {
        together.forEach((name, sum) -> running.merge(name, sum, Sum::plus));
        together.forEach((name, sum) -> sidecars.merge(name, sum, Sum::plus));
        together = sidecars;
      } else {
        for (Map.Entry<String, Sum> sidecar : sidecars.entrySet()) {
          together.merge(sidecar.getKey(), sidecar.getValue(), Sum::plus);
        }
      }
      together.forEach((name, sum) -> starting.merge(name, sum, Sum::larger));
    }
    starting.forEach((name, sum) -> running.merge(name, sum, Sum::larger));
    return running;
  }

  private static Map<String, Sum> requests(Value container) {
    Map<String, Sum> requests = new HashMap<>();
    for (Value request : container.get("resources", "requests")) {
      BigDecimal amount = QuantityRules.number(request);
      if (amount != null) {
        requests.put(request.name(), new Sum(amount, request.text().endsWith("i")));
      }
    }
    return requests;
  }
}
