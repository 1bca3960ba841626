package dev.keelson.schema.validation.core.pod;

import dev.keelson.schema.validation.Formats;
import dev.keelson.schema.validation.Value;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/** What depends on the operating system of a pod, and the settings for Windows. */
final class WindowsRules {
  private static final int CREDENTIAL_KIBIBYTES = 64;
  private static final int DOMAIN_BYTES = 256;
  private static final int USER_BYTES = 104;
  private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}");
  private static final Pattern NET_BIOS =
      Pattern.compile("[^\\\\/:*?\"<>|.][^\\\\/:*?\"<>|]{0,14}");
  private static final Pattern DNS =
      Pattern.compile(
          "[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*+");
  private static final Pattern DOTS_AND_SPACES = Pattern.compile("[. ]+");
  private static final Pattern NOT_IN_USERS = Pattern.compile("[\"/\\\\:;|=,+*?<>@\\[\\]]");

  /** Of the pod and of its security context, in the order of Kubernetes' complaints. */
  private static final String[] NOT_IN_POD = {
    "appArmorProfile",
    "seLinuxOptions",
    "hostUsers",
    "hostPID",
    "hostIPC",
    "seccompProfile",
    "fsGroup",
    "fsGroupChangePolicy",
    "sysctls",
    "shareProcessNamespace",
    "runAsUser",
    "runAsGroup",
    "supplementalGroups",
    "supplementalGroupsPolicy",
    "seLinuxChangePolicy"
  };

  private static final String[] NOT_IN_CONTAINER = {
    "appArmorProfile",
    "seLinuxOptions",
    "seccompProfile",
    "capabilities",
    "readOnlyRootFilesystem",
    "privileged",
    "allowPrivilegeEscalation",
    "procMount",
    "runAsUser",
    "runAsGroup"
  };
  private static final String[] CONTAINERS = {
    "initContainers", "containers", "ephemeralContainers"
  };

  private WindowsRules() {}

  /** The parts of the pod spec {@code pod} that its operating system decides on. */
  static void validateOs(Value pod) {
    pod.get("os").declared();
    Value os = pod.get("os");
    switch (os.get("name").text()) {
      case "" -> {}
      case "linux" -> linux(pod);
      case "windows" -> windows(pod);
      default -> os.unsupportedText(os.get("name").text(), "linux", "windows");
    }
  }

  private static void linux(Value pod) {
    String complaint = "windows options cannot be set for a linux pod";
    Value ofPod = pod.get("securityContext", "windowsOptions");
    if (ofPod.present()) {
      ofPod.forbidden(complaint);
    }
    for (String kind : CONTAINERS) {
      for (Value container : pod.get(kind)) {
        Value options = container.get("securityContext", "windowsOptions");
        if (options.present()) {
          options.forbidden(complaint);
        }
      }
    }
  }

  private static void windows(Value pod) {
    for (String field : NOT_IN_POD) {
      switch (field) {
        case "hostUsers", "shareProcessNamespace" -> notForWindows(pod.get(field));
        case "hostPID", "hostIPC" -> {
          if (pod.get(field).flag()) {
            notForWindows(pod.get(field));
          }
        }
        case "sysctls" -> {
          if (pod.get("securityContext", field).size() > 0) {
            notForWindows(pod.get("securityContext", field));
          }
        }
        default -> notForWindows(pod.get("securityContext", field));
      }
    }
    for (String kind : CONTAINERS) {
      for (Value container : pod.get(kind)) {
        for (String field : NOT_IN_CONTAINER) {
          notForWindows(container.get("securityContext", field));
        }
      }
    }
  }

  private static void notForWindows(Value value) {
    if (value.present()) {
      value.forbidden("cannot be set for a windows pod");
    }
  }

  /** If one container is a process of the host, all are, and on the host's network. */
  static void validateWindowsHostProcess(Value pod) {
    Value ofPod = pod.get("securityContext", "windowsOptions", "hostProcess");
    int containers = 0;
    int processes = 0;
    for (String kind : CONTAINERS) {
      for (Value container : pod.get(kind)) {
        containers++;
        Value own = container.get("securityContext", "windowsOptions", "hostProcess");
        if (own.present() && ofPod.present() && own.flag() != ofPod.flag()) {
          own.invalid(
              "pod hostProcess value must be identical if both are specified, was " + ofPod.flag());
        }
        if (own.present() ? own.flag() : ofPod.flag()) {
          processes++;
        }
      }
    }
    if (processes == 0) {
      return;
    }
    if (processes != containers) {
      pod.invalid(
          "",
          "If pod contains any hostProcess containers then all containers must be HostProcess"
              + " containers");
    }
    if (!pod.get("hostNetwork").flag()) {
      pod.get("hostNetwork")
          .holding(dev.keelson.object.Node.Bool.FALSE)
          .invalid("hostNetwork must be true if pod contains any hostProcess containers");
    }
    if (!pod.allowsPrivileged()) {
      pod.forbidden("hostProcess containers are disallowed by cluster policy");
    }
  }

  /** The {@code windowsOptions} of a pod or a container. */
  static void validateWindowsOptions(Value options) {
    Value name = options.get("gmsaCredentialSpecName");
    if (name.present()) {
      String problem = Formats.DNS_SUBDOMAIN.apply(name.text());
      if (!problem.isEmpty()) {
        name.invalid(problem);
      }
    }
    Value credential = options.get("gmsaCredentialSpec");
    if (credential.present() && credential.text().isEmpty()) {
      credential.invalid("gmsaCredentialSpec cannot be an empty string");
    } else if (bytes(credential.text()) > CREDENTIAL_KIBIBYTES * 1024) {
      credential.invalid("gmsaCredentialSpec size must be under " + CREDENTIAL_KIBIBYTES + " KiB");
    }
    if (options.get("runAsUserName").present()) {
      user(options.get("runAsUserName"));
    }
  }

  private static void user(Value value) {
    String text = value.text();
    int slash = text.indexOf('\\');
    if (text.isEmpty()) {
      value.invalid("runAsUserName cannot be an empty string");
    } else if (CONTROL.matcher(text).find()) {
      value.invalid("runAsUserName cannot contain control characters");
    } else if (slash >= 0 && text.indexOf('\\', slash + 1) >= 0) {
      value.invalid("runAsUserName cannot contain more than one backslash");
    } else {
      if (slash >= 0) {
        domain(value, text.substring(0, slash));
      }
      user(value, text.substring(slash + 1));
    }
  }

  private static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  private static void domain(Value value, String domain) {
    if (bytes(domain) >= DOMAIN_BYTES) {
      value.invalid("runAsUserName's Domain length must be under " + DOMAIN_BYTES + " characters");
    }
    if (!NET_BIOS.matcher(domain).matches() && !DNS.matcher(domain).matches()) {
      value.invalid("runAsUserName's Domain doesn't match the NetBios nor the DNS format");
    }
  }

  private static void user(Value value, String user) {
    if (user.isEmpty()) {
      value.invalid("runAsUserName's User cannot be empty");
    } else if (bytes(user) > USER_BYTES) {
      value.invalid(
          "runAsUserName's User length must not be longer than " + USER_BYTES + " characters");
    }
    if (DOTS_AND_SPACES.matcher(user).matches()) {
      value.invalid("runAsUserName's User cannot contain only periods or spaces");
    }
    if (NOT_IN_USERS.matcher(user).find()) {
      value.invalid(
          "runAsUserName's User cannot contain the following characters: \"/\\:;|=,+*?<>@[]");
    }
  }
}
