import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.attribute.NestMembersAttribute;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Classes whose {@code invokedynamic} instructions are replaced by calls of ordinary methods, since
 * the JVM makes a class at run time for each of them that it meets, which takes longer than to load
 * one, and which no thread can do ahead:
 *
 * <ul>
 *   <li>lambdas and method references by classes in the nest of the class they are in, see {@link
 *       Lambdas};
 *   <li>a concatenation of strings, the choice of a pattern of a {@code switch}, {@code equals} and
 *       {@code hashCode} of a record by static methods of the class.
 * </ul>
 *
 * <p>What is of another form (serializable lambdas, switches over constants) stays as it is, and
 * what an AOT cache keeps ready (lambdas, concatenations) if only the rest is wanted.
 */
final class Desugared {

  private static final ClassDesc BUILDER = ClassDesc.of("java.lang.StringBuilder");
  private static final ClassDesc OBJECTS = ClassDesc.of("java.util.Objects");
  private static final int FIRST_WITH_NESTS = ClassFile.JAVA_11_VERSION;
  private static final char ARGUMENT = '\1';
  private static final char CONSTANT = '\2';

  private final ClassFile files;
  private final Slim slim;
  private final boolean onlyUncached;
  private final Map<String, byte[]> classes = new LinkedHashMap<>();
  private final Map<ClassDesc, List<ClassDesc>> members = new LinkedHashMap<>();
  private final List<String> failed = new ArrayList<>();

  private Desugared(ClassHierarchyResolver resolver, boolean onlyUncached) {
    files = ClassFile.of(ClassFile.ClassHierarchyResolverOption.of(resolver));
    slim = new Slim(resolver);
    this.onlyUncached = onlyUncached;
  }

  /**
   * Replaces all, and makes the classes slim.
   *
   * @param resolver finds the super classes of all classes that these mention
   */
  static Desugared of(ClassHierarchyResolver resolver) {
    return new Desugared(resolver, false);
  }

  /** Replaces only what an AOT cache does not keep ready: switches and methods of records. */
  static Desugared ofUncached(ClassHierarchyResolver resolver) {
    return new Desugared(resolver, true);
  }

  /** Code of a method of the class. */
  private record Added(String name, MethodTypeDesc type, Consumer<CodeBuilder> code) {}

  /** A class under work: what is added to it and beside it. */
  private static final class Host {
    final ClassModel model;
    final ClassDesc type;
    final ClassDesc nest;
    final List<Added> added = new ArrayList<>();
    final Lambdas lambdas;

    Host(ClassModel model) {
      this.model = model;
      this.type = model.thisClass().asSymbol();
      this.nest =
          model
              .findAttribute(Attributes.nestHost())
              .map(host -> host.nestHost().asSymbol())
              .orElse(type);
      this.lambdas = new Lambdas(type, nest);
    }

    boolean isInterface() {
      return (model.flags().flagsMask() & ClassFile.ACC_INTERFACE) != 0;
    }
  }

  /** Adds a class, and the classes of its lambdas. */
  void add(String name, byte[] bytes) {
    try {
      Host host = new Host(files.parse(bytes));
      if (host.model.methods().stream().noneMatch(Desugared::hasInvokeDynamic)) {
        classes.put(name, bytes);
        return;
      }
      byte[] changed = transformed(host);
      classes.put(name, changed);
      Map<String, byte[]> beside = host.lambdas.classes(files);
      classes.putAll(beside);
      for (String each : beside.keySet()) {
        members.computeIfAbsent(host.nest, nest -> new ArrayList<>()).add(ClassDesc.of(each));
      }
    } catch (IllegalArgumentException e) {
      // the frames of the class cannot be computed without an optional library
      failed.add(name + ": " + e.getMessage());
      classes.put(name, bytes);
    }
  }

  /** The classes that stay as they are, with the reason. */
  List<String> failed() {
    return failed;
  }

  /** The hosts of nests that classes were added to. */
  List<String> nests() {
    return members.keySet().stream().map(Desugared::name).toList();
  }

  /** All classes by their names; each host of a nest that has got members must be among them. */
  Map<String, byte[]> classes() {
    Map<String, byte[]> all = new LinkedHashMap<>(classes);
    members.forEach(
        (nest, more) ->
            all.computeIfPresent(name(nest), (name, bytes) -> withMembers(bytes, more)));
    if (!onlyUncached) {
      all.replaceAll((name, bytes) -> slim.of(bytes));
    }
    return all;
  }

  private byte[] withMembers(byte[] bytes, List<ClassDesc> more) {
    ClassModel model = files.parse(bytes);
    List<ClassDesc> all = new ArrayList<>();
    model
        .findAttribute(Attributes.nestMembers())
        .ifPresent(
            before -> before.nestMembers().stream().map(ClassEntry::asSymbol).forEach(all::add));
    all.addAll(more);
    return files.transformClass(
        model,
        ClassTransform.dropping(element -> element instanceof NestMembersAttribute)
            .andThen(
                ClassTransform.endHandler(
                    builder -> builder.with(NestMembersAttribute.ofSymbols(all)))));
  }

  private byte[] transformed(Host host) {
    return files.transformClass(
        host.model,
        ClassTransform.transformingMethodBodies(
                Desugared::hasInvokeDynamic,
                (code, element) -> {
                  if (!(element instanceof InvokeDynamicInstruction dynamic)
                      || !replaced(host, dynamic, code)) {
                    code.with(element);
                  }
                })
            .andThen(
                (builder, element) ->
                    builder.with(
                        element instanceof ClassFileVersion version
                                && version.majorVersion() < FIRST_WITH_NESTS
                            ? ClassFileVersion.of(FIRST_WITH_NESTS, 0)
                            : element))
            .andThen(
                ClassTransform.endHandler(
                    builder -> {
                      for (Added each : host.added) {
                        builder.withMethodBody(
                            each.name(),
                            each.type(),
                            ClassFile.ACC_PRIVATE | ClassFile.ACC_STATIC | ClassFile.ACC_SYNTHETIC,
                            each.code());
                      }
                    })));
  }

  private static boolean hasInvokeDynamic(MethodModel method) {
    return method
        .code()
        .map(
            code -> {
              for (var element : code) {
                if (element instanceof InvokeDynamicInstruction) {
                  return true;
                }
              }
              return false;
            })
        .orElse(false);
  }

  /** Writes the call in place of the instruction; returns whether there is one. */
  private boolean replaced(Host host, InvokeDynamicInstruction dynamic, CodeBuilder code) {
    DirectMethodHandleDesc bootstrap = dynamic.bootstrapMethod();
    String factory = name(bootstrap.owner()) + "." + bootstrap.methodName();
    MethodTypeDesc type = dynamic.typeSymbol();
    List<ConstantDesc> arguments = dynamic.bootstrapArgs();
    if (onlyUncached && !factory.startsWith("java.lang.runtime.")) {
      return false;
    }
    if (factory.equals("java.lang.invoke.LambdaMetafactory.metafactory")) {
      host.lambdas.replace(dynamic, code);
      return true;
    }
    Optional<Consumer<CodeBuilder>> body =
        switch (factory) {
          case "java.lang.invoke.StringConcatFactory.makeConcatWithConstants" ->
              Optional.of(each -> concatenation(each, type, arguments));
          case "java.lang.runtime.SwitchBootstraps.typeSwitch" ->
              arguments.stream().allMatch(label -> label instanceof ClassDesc)
                      && !type.parameterType(0).isPrimitive()
                  ? Optional.of(each -> typeSwitch(each, arguments))
                  : Optional.empty();
          case "java.lang.runtime.ObjectMethods.bootstrap" ->
              switch (dynamic.name().stringValue()) {
                case "equals" -> Optional.of(each -> equality(each, arguments));
                case "hashCode" -> Optional.of(each -> hash(each, arguments));
                default -> Optional.empty();
              };
          default -> Optional.empty();
        };
    if (body.isEmpty()) {
      return false;
    }
    String name = "dynamic$" + host.added.size();
    host.added.add(new Added(name, type, body.get()));
    code.invokestatic(host.type, name, type, host.isInterface());
    return true;
  }

  private static void concatenation(
      CodeBuilder code, MethodTypeDesc type, List<ConstantDesc> arguments) {
    String recipe = (String) arguments.getFirst();
    code.new_(BUILDER)
        .dup()
        .invokespecial(BUILDER, ConstantDescs.INIT_NAME, ConstantDescs.MTD_void);
    int argument = 0;
    int constant = 1;
    StringBuilder text = new StringBuilder();
    for (char each : recipe.toCharArray()) {
      if (each == CONSTANT) {
        text.append(arguments.get(constant++));
      } else if (each == ARGUMENT) {
        append(code, text);
        ClassDesc from = type.parameterType(argument);
        code.loadLocal(Conversions.kind(from), code.parameterSlot(argument++));
        append(code, appended(from));
      } else {
        text.append(each);
      }
    }
    append(code, text);
    code.invokevirtual(BUILDER, "toString", MethodTypeDesc.of(ConstantDescs.CD_String)).areturn();
  }

  private static void append(CodeBuilder code, StringBuilder text) {
    if (!text.isEmpty()) {
      code.loadConstant(text.toString());
      append(code, ConstantDescs.CD_String);
      text.setLength(0);
    }
  }

  private static void append(CodeBuilder code, ClassDesc type) {
    code.invokevirtual(BUILDER, "append", MethodTypeDesc.of(BUILDER, type));
  }

  /** The parameter of the method of StringBuilder that appends a value as a concatenation does. */
  private static ClassDesc appended(ClassDesc type) {
    if (type.equals(ConstantDescs.CD_byte) || type.equals(ConstantDescs.CD_short)) {
      return ConstantDescs.CD_int;
    }
    return type.isPrimitive() || type.equals(ConstantDescs.CD_String)
        ? type
        : ConstantDescs.CD_Object;
  }

  /**
   * The index of the first label, from the second argument on, that the first is of; -1 for null.
   */
  private static void typeSwitch(CodeBuilder code, List<ConstantDesc> labels) {
    Label present = code.newLabel();
    code.aload(0).ifnonnull(present).iconst_m1().ireturn().labelBinding(present);
    for (int i = 0; i < labels.size(); i++) {
      Label next = code.newLabel();
      code.iload(1).loadConstant(i).if_icmpgt(next);
      code.aload(0).instanceOf((ClassDesc) labels.get(i)).ifeq(next);
      code.loadConstant(i).ireturn().labelBinding(next);
    }
    code.loadConstant(labels.size()).ireturn();
  }

  private static List<DirectMethodHandleDesc> getters(List<ConstantDesc> arguments) {
    return arguments.subList(2, arguments.size()).stream()
        .map(DirectMethodHandleDesc.class::cast)
        .toList();
  }

  private static void equality(CodeBuilder code, List<ConstantDesc> arguments) {
    ClassDesc record = (ClassDesc) arguments.getFirst();
    Label differs = code.newLabel();
    code.aload(1).instanceOf(record).ifeq(differs);
    for (DirectMethodHandleDesc getter : getters(arguments)) {
      ClassDesc type = getter.invocationType().returnType();
      for (int side = 0; side < 2; side++) {
        code.aload(side);
        if (side == 1) {
          code.checkcast(record);
        }
        code.getfield(record, getter.methodName(), type);
      }
      if (type.isPrimitive()) {
        ClassDesc box = Conversions.box(type);
        code.invokestatic(box, "compare", MethodTypeDesc.of(ConstantDescs.CD_int, type, type))
            .ifne(differs);
      } else {
        code.invokestatic(
                OBJECTS,
                "equals",
                MethodTypeDesc.of(
                    ConstantDescs.CD_boolean, ConstantDescs.CD_Object, ConstantDescs.CD_Object))
            .ifeq(differs);
      }
    }
    code.iconst_1().ireturn().labelBinding(differs).iconst_0().ireturn();
  }

  private static void hash(CodeBuilder code, List<ConstantDesc> arguments) {
    ClassDesc record = (ClassDesc) arguments.getFirst();
    code.iconst_0();
    for (DirectMethodHandleDesc getter : getters(arguments)) {
      ClassDesc type = getter.invocationType().returnType();
      code.loadConstant(31).imul().aload(0).getfield(record, getter.methodName(), type);
      ClassDesc owner = type.isPrimitive() ? Conversions.box(type) : OBJECTS;
      ClassDesc parameter = type.isPrimitive() ? type : ConstantDescs.CD_Object;
      code.invokestatic(owner, "hashCode", MethodTypeDesc.of(ConstantDescs.CD_int, parameter))
          .iadd();
    }
    code.ireturn();
  }

  /** The binary name of a class. */
  static String name(ClassDesc type) {
    String descriptor = type.descriptorString();
    return descriptor.substring(1, descriptor.length() - 1).replace('/', '.');
  }
}
