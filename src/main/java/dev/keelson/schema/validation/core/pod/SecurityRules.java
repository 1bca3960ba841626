package dev.keelson.schema.validation.core.pod;

import dev.keelson.schema.validation.Formats;
import dev.keelson.schema.validation.Value;
import dev.keelson.value.WhiteSpace;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;

/** Security settings of pods and containers. */
final class SecurityRules {
  private static final Pattern SYSCTL =
      Pattern.compile("([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?");
  private static final long MAX_ID = Integer.MAX_VALUE;
  private static final int LONGEST_PROFILE = 4095;

  private SecurityRules() {}

  /** The {@code securityContext} of a container. */
  static void validateSecurityContext(Value context, Value hostUsers) {
    if (context.absent()) {
      return;
    }
    Value privileged = context.get("privileged");
    if (privileged.flag() && !privileged.allowsPrivileged()) {
      privileged.forbidden("disallowed by cluster policy");
    }
    context.get("runAsUser").range(0, MAX_ID);
    context.get("runAsGroup").range(0, MAX_ID);
    Value mount = context.declared("procMount").get("procMount");
    if (mount.present() && !mount.filled()) {
      mount.unsupported("Default", "Unmasked");
    }
    if (mount.is("Unmasked") && (hostUsers.absent() || hostUsers.flag())) {
      mount.invalid("`hostUsers` must be false to use `Unmasked`");
    }
    validateSeccompProfile(context.get("seccompProfile"));
    Value escalation = context.get("allowPrivilegeEscalation");
    if (escalation.present() && !escalation.flag()) {
      if (context.get("privileged").flag()) {
        context.invalid("cannot set `allowPrivilegeEscalation` to false and `privileged` to true");
      }
      for (Value added : context.get("capabilities", "add")) {
        if (added.is("CAP_SYS_ADMIN")) {
          context.invalid(
              "cannot set `allowPrivilegeEscalation` to false and `capabilities.Add`"
                  + " CAP_SYS_ADMIN");
        }
      }
    }
    WindowsRules.validateWindowsOptions(context.get("windowsOptions"));
    validateAppArmorProfile(context.get("appArmorProfile"));
  }

  /** The {@code securityContext} of the pod spec {@code pod}. */
  static void validatePodSecurityContext(Value pod) {
    Value context = pod.get("securityContext");
    context.get("fsGroup").range(0, MAX_ID);
    context.get("runAsUser").range(0, MAX_ID);
    context.get("runAsGroup").range(0, MAX_ID);
    for (Value group : context.get("supplementalGroups")) {
      group.range(0, MAX_ID);
    }
    Value shared = pod.get("shareProcessNamespace");
    if (shared.flag() && pod.get("hostPID").flag()) {
      // in Kubernetes' own structs the field stands in the security context
      context
          .get("shareProcessNamespace")
          .holding(shared.node())
          .invalid("ShareProcessNamespace and HostPID cannot both be enabled");
    }
    if (context.absent()) {
      return;
    }
    validateSysctls(pod);
    context.declared("fsGroupChangePolicy");
    validateSeccompProfile(context.get("seccompProfile"));
    WindowsRules.validateWindowsOptions(context.get("windowsOptions"));
    validateAppArmorProfile(context.get("appArmorProfile"));
    context.declared("supplementalGroupsPolicy");
    validateSeLinuxChangePolicy(context.get("seLinuxChangePolicy"), pod);
  }

  /** While the gate SELinuxMount is off, other policies than this are for pods that have one. */
  private static void validateSeLinuxChangePolicy(Value policy, Value pod) {
    boolean any = pod.holding(pod.before()).get("securityContext", "seLinuxChangePolicy").present();
    if (policy.present() && !policy.is("Recursive") && !(any && policy.is("MountOption"))) {
      policy.unsupported(
          any ? new String[] {"MountOption", "Recursive"} : new String[] {"Recursive"});
    }
  }

  private static void validateSysctls(Value pod) {
    Set<String> names = new HashSet<>();
    boolean ofHost = hasSysctlOfHost(pod.holding(pod.before()));
    for (Value sysctl : pod.get("securityContext", "sysctls")) {
      Value name = sysctl.declared("name").get("name");
      String text = name.text();
      if (name.filled()) {
        if (text.length() > 253 || !SYSCTL.matcher(text).matches()) {
          name.invalid(
              "must have at most 253 characters and match regex"
                  + " ^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$");
        } else if (!names.add(text)) {
          name.duplicate();
        }
      }
      String shared = sharedNamespace(text, pod);
      if (!ofHost && !shared.isEmpty()) {
        name.orEmpty().invalid("may not be specified when '" + shared + "' is true");
      }
      names.add(text);
    }
  }

  /** Whether a stored pod has what is rejected today; it may keep it. */
  private static boolean hasSysctlOfHost(Value pod) {
    for (Value sysctl : pod.get("securityContext", "sysctls")) {
      if (!sharedNamespace(sysctl.get("name").text(), pod).isEmpty()) {
        return true;
      }
    }
    return false;
  }

  /** The field by which the pod has the host's namespace that {@code sysctl} is for, or empty. */
  private static String sharedNamespace(String sysctl, Value pod) {
    String name = dotted(sysctl);
    if (name.startsWith("net.")) {
      return pod.get("hostNetwork").flag() ? "hostNetwork" : "";
    }
    return isOfIpc(name) && pod.get("hostIPC").flag() ? "hostIPC" : "";
  }

  /** A name whose parts are separated by slashes may have dots within them, and the reverse. */
  private static String dotted(String name) {
    int dot = name.indexOf('.');
    int slash = name.indexOf('/');
    if (slash < 0 || (dot >= 0 && dot < slash)) {
      return name;
    }
    StringBuilder text = new StringBuilder(name);
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      text.setCharAt(i, c == '/' ? '.' : c == '.' ? '/' : c);
    }
    return text.toString();
  }

  private static boolean isOfIpc(String name) {
    return name.equals("kernel.sem")
        || name.startsWith("kernel.shm")
        || name.startsWith("kernel.msg")
        || name.startsWith("fs.mqueue.");
  }

  private static void validateSeccompProfile(Value profile) {
    if (profile.absent()) {
      return;
    }
    Value file = profile.declared("type").get("localhostProfile");
    if (!profile.get("type").is("Localhost")) {
      if (file.present()) {
        // Kubernetes shows the whole profile
        profile.invalidAt(file, "can only be set when seccomp type is Localhost");
      }
    } else if (file.absent()) {
      file.required("must be set when seccomp type is Localhost");
    } else {
      file.as(Formats.RELATIVE_PATH);
    }
  }

  private static void validateAppArmorProfile(Value profile) {
    if (profile.absent()) {
      return;
    }
    Value file = profile.declared("type").get("localhostProfile");
    switch (profile.get("type").text()) {
      case "Localhost" -> {
        if (WhiteSpace.surrounds(file.text())) {
          file.invalid("must not be padded with whitespace");
        } else if (!file.filled()) {
          file.required("must be set when AppArmor type is Localhost");
        }
        if (file.text().getBytes(StandardCharsets.UTF_8).length > LONGEST_PROFILE) {
          file.tooLong(LONGEST_PROFILE);
        }
      }
      case "RuntimeDefault", "Unconfined" -> {
        if (file.present()) {
          file.invalid("can only be set when AppArmor type is Localhost");
        }
      }
      default -> {}
    }
  }
}
