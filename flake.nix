{
  description = "Language server and checker for Kubernetes CustomResourceDefinitions";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs = { self, nixpkgs }:
    let
      inherit (nixpkgs) lib;
      version = (lib.importTOML ./Cargo.toml).workspace.package.version;
      systems = [ "x86_64-linux" "aarch64-linux" "x86_64-darwin" "aarch64-darwin" ];
      forAll = make: lib.genAttrs systems (system: make nixpkgs.legacyPackages.${system});
    in
    {
      packages = forAll (pkgs: {
        default = pkgs.rustPlatform.buildRustPackage {
          pname = "crd-ls";
          inherit version;
          src = self;
          cargoLock.lockFile = ./Cargo.lock;
          cargoBuildFlags = [ "--package" "crd-ls" ];
          # The tests read fixtures with programs that are not here; CI runs them.
          doCheck = false;
          nativeBuildInputs = [ pkgs.installShellFiles ];
          postInstall = ''
            mkdir manual
            $out/bin/crd-ls manual manual
            installManPage manual/*.1
            installShellCompletion --cmd crd-ls \
              --bash <($out/bin/crd-ls completions bash) \
              --zsh <($out/bin/crd-ls completions zsh) \
              --fish <($out/bin/crd-ls completions fish)
          '';
          meta = {
            description = "Language server and checker for Kubernetes CustomResourceDefinitions";
            license = with lib.licenses; [ mit asl20 ];
            mainProgram = "crd-ls";
          };
        };
      });
    };
}
